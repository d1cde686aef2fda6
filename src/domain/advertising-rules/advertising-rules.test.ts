/** The list of rules is complete and dated, and docs/explanations/advertising-rules.md lists each of them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { advertisingRules } from './check-advertising.ts'
import { type AdvertisingRule, advertisingCodes } from './rule.ts'

test('every code belongs to a rule', () => {
  expect(new Set(advertisingRules.map(({ code }) => code))).toEqual(new Set(advertisingCodes))
})

test('every rule names its law and what it was checked against', () => {
  for (const { law, message, checkedAgainst, confirmation } of advertisingRules) {
    expect(law.url).toMatch(/^https:\/\//)
    for (const sentence of [message, checkedAgainst]) expect(sentence).toMatch(/^[A-Z].*\.$/)
    if (law.article === null) expect(confirmation).not.toBe('text')
  }
})

test('every period has a first day, and ends after it', () => {
  for (const { from, until } of advertisingRules) {
    expect(Temporal.PlainDate.from(from).toString()).toBe(from)
    if (until !== null) expect(from < until).toBe(true)
  }
})

function toRow({ code, severity, country, region, law, from, until, confirmation }: AdvertisingRule): string {
  const place = region ?? country
  const period = until === null ? `since ${from}` : `${from} to ${until}`
  const article = law.article === null ? '' : `, ${law.article}`
  return `| ${[`\`${code}\``, place, severity, `[${law.title}](${law.url})${article}`, period, confirmation].join(' | ')} |`
}

test('the explanation lists every rule, and no other', () => {
  const page = readFileSync(
    new URL('../../../docs/explanations/advertising-rules.md', import.meta.url),
    'utf8',
  )
  const rows = page
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.replace(/ +\|/g, ' |'))
  expect(rows).toEqual(advertisingRules.map(toRow))
})
