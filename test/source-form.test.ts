/**
 * The form of source files: each begins with a `/**` comment that states its purpose, with an import, or with code. Modules
 * that are loaded by URL exist.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** Directives of TypeScript and interpreter lines, which must be the first line. */
const directives = /^(?:#!.*\n|\/\/\/ <reference .*\n)*/

/** True if the text begins with a line comment. The purpose of a file belongs in a `/**` comment. */
const hasLineCommentHead = (text: string): boolean => /^\s*\/\//.test(text.replace(directives, ''))

const files = globSync('{bench,scripts,sdk,src,test}/**/*.ts', {
  exclude: file => /node_modules|\.generated\.ts$/.test(file),
})

it('every module that is loaded by `new URL(…, import.meta.url)` exists', () => {
  const references = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/new URL\('([^']+\.ts)',\s*import\.meta\.url\)/g)].map(
      ([, module]) => join(dirname(file), module!),
    ),
  )
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter(module => !existsSync(module))).toEqual([])
})

it('no source file begins with line comments', () => {
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
])('finds a line comment at the head: %j', (text, expected) => {
  expect(hasLineCommentHead(text)).toBe(expected)
})
