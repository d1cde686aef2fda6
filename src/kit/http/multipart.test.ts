/** Forms with one file. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { toForm } from './multipart.ts'

const bytes = Buffer.from([0, 13, 10, 45, 45, 255])
const open = async () => Readable.from([bytes.subarray(0, 2), bytes.subarray(2)])
const toFile = (change: object = {}) => ({
  name: 'photo',
  fileName: 'a"b\r\n.jpg',
  mediaType: 'image/jpeg',
  bytes: bytes.length,
  open,
  ...change,
})

test('a form is read with all its fields, and has the length that it states', async () => {
  const form = toForm({ chat_id: '1', caption: 'Año\r\n"x"' }, toFile())
  const body = await buffer(form.stream)
  expect(body.length).toBe(form.bytes)
  const read = await new Response(body, { headers: { 'content-type': form.contentType } }).formData()
  expect([read.get('chat_id'), read.get('caption')]).toEqual(['1', 'Año\r\n"x"'])
  const file = read.get('photo') as File
  expect(file.type).toBe('image/jpeg')
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
  expect(form.getFileError()).toBeNull()
})

test.each([
  ['can’t be opened', { open: async () => Promise.reject(new Error('gone')) }],
  ['breaks', { open: async () => Readable.from([bytes]).destroy(new Error('cut')) }],
  ['is shorter', { bytes: 7 }],
  ['is longer', { bytes: 5 }],
])('the form of a file that %s fails, and says that it was the file', async (_what, change) => {
  const form = toForm({}, toFile(change))
  await expect(buffer(form.stream)).rejects.toThrow()
  expect(form.getFileError()).toBeInstanceOf(Error)
})
