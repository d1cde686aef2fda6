/** Dates of the page in the JSON-LD of content management systems. */
import { expect, it } from 'vitest'
import { readPageDates } from './page-dates.ts'

const url = 'https://www.homes.example/property/sunny-home/'
const page = { '@type': 'WebPage', url, datePublished: '2021-10-06T15:25:00+00:00' }

it.each<[string, unknown, string | undefined]>([
  ['the node of the page', { '@graph': [page] }, '2021-10-06T15:25:00.000Z'],
  ['a node without a graph', { ...page, url: undefined, '@id': url }, '2021-10-06T15:25:00.000Z'],
  ['another page', { '@graph': [{ ...page, url: `${url}other` }] }, undefined],
  ['something else', { ...page, '@type': 'Event' }, undefined],
  ['no date', { ...page, datePublished: 'yesterday' }, undefined],
])('reads %s', (_, block, expected) => {
  const found = readPageDates([block], url.replace('www.', ''))
  expect(found.find(({ field }) => field === 'publishedAt')?.value).toBe(expected)
})
