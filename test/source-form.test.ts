/** The form of source files: each begins with a comment that says what it is for, and modules that are loaded by URL exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** Directives of TypeScript and interpreter lines, which must be the first line. */
const directives = /^(?:#!.*\n|\/\/\/ <reference .*\n)*/

const hasHead = (text: string): boolean => text.replace(directives, '').startsWith('/**')

const files = globSync(['{bench,docs,scripts,sdk,src,test}/**/*.ts', '*.ts'], {
  exclude: file => /node_modules|\bdist\b|\.generated\.ts$/.test(file),
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

it('every source file begins with a comment that says what it is for', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter(file => !hasHead(readFileSync(file, 'utf8')))).toEqual([])
})

it('no schema takes a text of invisible characters for a visible one', () => {
  const sources = files.filter(file => file.startsWith('src/') && !file.endsWith('.test.ts'))
  expect(sources.filter(file => /\bpattern: .*\\\\S/.test(readFileSync(file, 'utf8')))).toEqual([])
})

it.each([
  ['/** A head. */\nimport x from "x"', true],
  ['#!/usr/bin/env node\n/** A head. */', true],
  ['// A head.\nimport x from "x"', false],
  ['import x from "x"\n/** A comment. */', false],
])('finds the head of a file: %j', (text, expected) => {
  expect(hasHead(text)).toBe(expected)
})
