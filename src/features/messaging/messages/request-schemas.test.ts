/** Which texts and emoji may be sent. */
import { expect, test } from 'vitest'
import { compile } from '../../../kit/schema.ts'
import { NewMessage } from './request-schemas.ts'

const check = compile(NewMessage)
const id = '01a217e6-171d-7bce-a8ef-002bf8ef20fe'

test.each(['', ' \n', '\0', '\u200b', '\u2060 \ufe0f', '\u3164', '\u0001'])('%j is blank', blank => {
  for (const body of [
    { text: blank },
    { note: blank },
    { mediaId: id, caption: blank },
    { text: 'a', buttons: [{ title: blank }] },
    { text: 'a', list: { button: blank, sections: [{ rows: [{ id: '1', title: 'a' }] }] } },
  ])
    expect(check(body)).toMatchObject([{ message: 'must not be blank' }])
})

test.each(['a', '👍', '1️⃣', '—', '\u200b.', 'שלום', '\ue000'])('%j is not blank', text => {
  expect(check({ text })).toEqual([])
})

test.each(['👍', '👍🏽', '❤', '❤️', '❤‍🔥', '🤷‍♂', '🤷🏽‍♀️', '🇪🇸', '👨‍👩‍👧', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '#️⃣'])(
  '%s is an emoji',
  emoji => {
    expect(check({ reaction: { messageId: id, emoji } })).toEqual([])
  },
)

test.each(['abc', '1', '#', '👍12345', '👍👍', '👍 ', '🇪', ''])('%j is none', emoji => {
  expect(check({ reaction: { messageId: id, emoji } })).toMatchObject([
    { message: 'must have the form of 👍' },
  ])
})
