/** The form of source files: each begins with a `/**` comment that states its purpose, with an import, or with code. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Directives of TypeScript and interpreter lines, which must be the first line. */
const directives = /^(?:#!.*\n|\/\/\/ <reference .*\n)*/

/** True if the text begins with a line comment. The purpose of a file belongs into a `/**` comment. */
const hasLineCommentHead = (text: string): boolean => /^\s*\/\//.test(text.replace(directives, ''))

it('no source file begins with line comments', () => {
  const files = globSync('{bench,scripts,sdk,src,test}/**/*.ts', {
    exclude: file => /node_modules|\.generated\.ts$/.test(file),
  })
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter(file => hasLineCommentHead(readFileSync(file, 'utf8')))).toEqual([])
})

it.each([
  ['// A head.\nimport x from "x"', true],
  ['\n// A head.\n', true],
  ['#!/usr/bin/env node\n// A head.\n', true],
  ['/** A head. */\nimport x from "x"', false],
  ['import x from "x"\n// A comment.', false],
  ['#!/usr/bin/env node\n/** A head. */', false],
])('a head is recognised: %j', (text, expected) => {
  expect(hasLineCommentHead(text)).toBe(expected)
})
