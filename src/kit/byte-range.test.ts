/** Which bytes a header Range requests. */
import { describe, expect, it } from 'vitest'
import { parseRange } from './byte-range.ts'
import { Problem } from './problem.ts'

describe('parseRange', () => {
  it.each([
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['Bytes = 5 - 5', { start: 5, end: 5 }],
  ])('reads %s', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range)
  })

  it.each([null, '', 'bytes=', 'bytes=-', 'items=0-1', 'bytes=0-1,5-6', 'bytes=9-5', 'bytes=a-b'])(
    'sends the whole file for %s',
    header => {
      expect(parseRange(header, 100)).toBeNull()
    },
  )

  it.each([
    ['bytes=100-', 100],
    ['bytes=-0', 100],
    ['bytes=0-', 0],
  ])('refuses %s of %s bytes', (header, bytes) => {
    const refusal = (() => {
      try {
        return parseRange(header, bytes)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(Problem)
    expect(refusal).toMatchObject({ status: 416, headers: { 'Content-Range': `bytes */${bytes}` } })
  })
})
