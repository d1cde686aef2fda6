/** Only valid logos that are cheap to render are accepted. */
import { expect, test } from 'vitest'
import { parseLogo } from './logo.ts'

const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`)
const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33)
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
/** A JPEG with a segment of four bytes before the start of frame. */
const jpeg = (width: number, height: number) => {
  const bytes = Buffer.from('ffd8ffe000040000ffc0001108000000000301112200021101031101', 'hex')
  bytes.writeUInt16BE(height, 13)
  bytes.writeUInt16BE(width, 15)
  return bytes
}
const dataUrl = (bytes: Buffer, type: string) => `data:image/${type};base64,${bytes.toString('base64')}`

test.each([
  ['a PNG', png(300, 80), 'png'],
  ['a JPEG', jpeg(300, 80), 'jpeg'],
  ['an SVG', svg('<path d="M0 0h9"/>'), 'svg'],
  ['an SVG in a data URL', dataUrl(svg(''), 'svg+xml'), 'svg'],
  ['a PNG in a data URL of another type', dataUrl(png(9, 9), 'jpeg'), 'png'],
])('accepts %s', (_name, source, format) => expect(parseLogo(source)?.format).toBe(format))

test.each([
  ['null', null],
  ['an http URL', 'https://aldaba.example/logo.png'],
  ['text', Buffer.from('logo')],
  ['no bytes', Buffer.alloc(0)],
  ['a truncated PNG', png(9, 9).subarray(0, 20)],
  ['a PNG with too many pixels', png(60_000, 60_000)],
  ['a JPEG with too many pixels', jpeg(60_000, 60_000)],
  ['a JPEG without a frame', Buffer.from('ffd8ffd9', 'hex')],
  ['a file that is too large', svg(' '.repeat(1_100_000))],
  ['an SVG with `use`', svg('<g id="a"/><use href="#a"/>')],
  ['an SVG that loads a file', svg('<image href="logo.png"/>')],
  ['an SVG with entities', Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')],
])('refuses %s', (_name, source) => expect(parseLogo(source)).toBeNull())
