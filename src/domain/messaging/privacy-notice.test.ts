/** The notice has what the law requires, in every language. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findIntent, messageLanguages } from './opt-out-words.ts'
import { formatNotice, hasNotice, type NoticeFacts } from './privacy-notice.ts'

const facts: NoticeFacts = {
  agency: 'Fincas Ribera',
  source: 'portal.example',
  url: 'https://ribera.example/privacy',
  texts: {},
  fallback: 'es',
}

describe.each(messageLanguages)('%s', language => {
  test('names the agency, the source, the link and how to object', () => {
    const notice = formatNotice(language, facts)
    for (const part of [facts.agency, facts.source, facts.url]) expect(notice).toContain(part)
    const [word] = /\bSTOP\b/.exec(notice)!
    expect(findIntent(word)).toMatchObject({ kind: 'opt_out' })
    expect(notice.length).toBeLessThan(400)
  })
})

test('is in the language of the message, else in that of the workspace', () => {
  const texts = { ca: 'Text propi.', 'pt-BR': 'Texto próprio.' }
  expect(formatNotice('pt-BR', { ...facts, texts })).toBe(`Texto próprio. ${facts.url}`)
  expect(formatNotice('ca-ES', { ...facts, texts, url: null })).toBe('Text propi.')
  expect(formatNotice('nl', facts)).toBe(formatNotice('es', facts))
  expect(formatNotice(null, { ...facts, texts: { es: 'Texto propio.' } })).toBe(`Texto propio. ${facts.url}`)
  expect(formatNotice('constructor', facts)).toBe(formatNotice('es', facts))
})

test('is found in a text that has it, or links to it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom(...messageLanguages), (before, after, language) => {
      const notice = formatNotice(language, facts)
      expect(hasNotice(`${before}${notice}${after}`, { notice, url: null })).toBe(true)
      expect(hasNotice(`${before}${facts.url}${after}`, { notice, url: facts.url })).toBe(true)
    }),
  )
  expect(hasNotice('Hola', { notice: formatNotice('es', facts), url: facts.url })).toBe(false)
})
