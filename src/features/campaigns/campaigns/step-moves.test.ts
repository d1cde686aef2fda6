/** Changes of a sequence that would move steps past recipients. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPassedPosition } from './step-moves.ts'

const toSteps = (names: string) =>
  [...names].map(name => ({ templateId: name.toLowerCase(), variants: [{ templateId: name }] }))
const find = (before: string, after: string, positions: number[]) =>
  findPassedPosition(toSteps(before), toSteps(after), positions)

test.each([
  ['appended', 'AB', 'ABX', [0, 1, 2], null],
  ['appended, known', 'AB', 'ABA', [1], 1],
  ['replaced before', 'ABC', 'XBC', [1, 2], null],
  ['replaced after', 'ABC', 'ABX', [1], null],
  ['inserted before', 'AB', 'XAB', [1], 1],
  ['inserted before, known', 'AB', 'BAB', [1], 1],
  ['inserted before those who have begun, nobody has', 'AB', 'XAB', [0], null],
  ['inserted after', 'ABC', 'ABXC', [1, 2], null],
  ['removed before', 'ABC', 'BC', [2, 1], 1],
  ['removed after', 'ABC', 'AB', [1], null],
  ['reordered after', 'ABC', 'ACB', [1], null],
  ['reordered across', 'ABC', 'ACB', [1, 2], 2],
  ['unchanged', 'ABA', 'ABA', [0, 1, 2, 3], null],
])('%s', (_name, before, after, positions, expected) => {
  expect(find(before, after, positions)).toBe(expected)
})

test('nobody gets a template twice after a change that is allowed, unless the sequence had it twice', () => {
  const names = fc.uniqueArray(fc.constantFrom(...'ABCDE'), { minLength: 1 }).map(list => list.join(''))
  fc.assert(
    fc.property(names, names, fc.nat(5), (before, after, seed) => {
      const position = seed % (before.length + 1)
      if (find(before, after, [position]) !== null) return
      const got = new Set(before.slice(0, position))
      expect([...after.slice(position)].filter(name => got.has(name))).toEqual([])
    }),
  )
})
