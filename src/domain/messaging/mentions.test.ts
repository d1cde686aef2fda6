/** Which phone numbers and addresses a message mentions. */
import { expect, test } from 'vitest'
import { findMentions, toMention, tooManyMentions } from './mentions.ts'

test.each([
  ['Llame al 612 34 56 78.', ['612345678']],
  ['(+34) 612-34/56.78', ['346123456', '461234567', '612345678']],
  ['612345678, 699999999', ['612345678', '699999999']],
  ['612 euros, 90 m2 y 250.000 €', []],
  ['Soy Marta <Marta@Mail.example>: escríbame.', ['marta@mail.example']],
  [
    '*a@b.example* [c@d.example] mailto:e@f.example «g@h.example»',
    expect.arrayContaining(['a@b.example', 'c@d.example', 'e@f.example', 'g@h.example']),
  ],
  ["_a@b.example_, o'hara@b.example!", expect.arrayContaining(['a@b.example', "o'hara@b.example"])],
  [{ email: { fullText: 'a@b.example', references: ['<id@mail.example>'] } }, ['a@b.example']],
  [[null, 7, { contacts: [{ phones: ['612345678'] }] }], ['612345678']],
])('%j', (value, mentions) => {
  expect(findMentions(value)).toEqual(mentions)
})

test('an identifier is written in the same way', () => {
  expect(findMentions(['+34612345678', 'MARTA@mail.example'])).toEqual(
    expect.arrayContaining([toMention('+34612345678'), toMention('Marta@mail.example')]),
  )
})

test('a long row of signs after an address is read in linear time', () => {
  const startedMs = performance.now()
  findMentions(`a@b ${'.'.repeat(500_000)}x a@${'.'.repeat(500_000)}`)
  expect(performance.now() - startedMs).toBeLessThan(10_000)
})

test('many mentions count as all', () => {
  const numbers = Array.from({ length: 101 }, (_, index) => `${600_000_000 + index}`)
  expect(findMentions(numbers.join(', '))).toEqual([tooManyMentions])
})

test.each(['a@b .', 'a@b.', '1 ', '1', '1-'.repeat(9), '@', 'a@', '1\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0'])(
  'a long text of %j is read in linear time',
  piece => {
    const startedMs = performance.now()
    findMentions(piece.repeat(1_000_000 / piece.length))
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  },
)
