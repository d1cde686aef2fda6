/** Writes a digest as text and as HTML. Pure: what portals and agencies wrote is escaped. */
import { escapeMarkup, toPrintable } from '../../../documents/markup.ts'
import { changeTypes } from '../campaigns/notification-schemas.ts'
import type { ChangeCounts } from '../searches/list-changes.ts'
import type { CampaignChange } from '../searches/schemas.ts'
import type { DigestWords } from './words.ts'

export interface DigestFacts {
  /** The name of the campaign. */
  search: string
  counts: ChangeCounts
  /** The first ones of each type. */
  changes: CampaignChange[]
  /** Null: a preview for nobody. */
  unsubscribeUrl: string | null
}

export interface DigestContent {
  subject: string
  text: string
  html: string
}

const titleMaxLength = 120

export function writeDigest(facts: DigestFacts, words: DigestWords): DigestContent {
  const search = toPrintable(facts.search)
  const found = changeTypes.filter(type => facts.counts[type] > 0)
  const sections = found.map(type => {
    const changes = facts.changes.filter(change => change.type === type)
    const hidden = facts.counts[type] - changes.length
    return {
      heading: `${words.types[type]}: ${facts.counts[type]}`,
      items: changes.map(change => toItem(change, words)),
      more: hidden > 0 ? words.more(hidden) : null,
    }
  })
  const subject = `${search} – ${sections.map(({ heading }) => heading).join(', ')}`
  const why = words.why(search)
  return {
    subject,
    text: toText(sections, why, facts, words),
    html: toHtml(sections, { title: search, why, unsubscribeUrl: facts.unsubscribeUrl }, words),
  }
}

interface Item {
  title: string
  details: string
  url: string | null
}

interface Section {
  heading: string
  items: Item[]
  more: string | null
}

function toItem(
  {
    title,
    listingId,
    municipality,
    price,
    previousPrice,
    changePercent,
    currency,
    isReturned,
    reason,
    url,
  }: CampaignChange,
  words: DigestWords,
): Item {
  const format = (amount: number) => formatPrice(amount, currency, words.locale)
  const before =
    previousPrice === null || previousPrice === price
      ? null
      : [
          words.before(format(previousPrice)),
          changePercent === null ? null : formatPercent(changePercent, words),
        ]
          .filter(part => part !== null)
          .join(', ')
  const details = [
    price === null ? null : format(price) + (before === null ? '' : ` (${before})`),
    municipality && toPrintable(municipality),
    isReturned ? words.returned : null,
    reason && words.reasons[reason],
  ]
  const name = toPrintable(title ?? '') || listingId
  return {
    title: name.length > titleMaxLength ? `${name.slice(0, titleMaxLength - 1).trimEnd()}…` : name,
    details: details.filter(part => part).join(' · '),
    url: toLink(url),
  }
}

/** Only what a browser opens as a page. */
function toLink(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : null
}

function formatPrice(amount: number, currency: string | null, locale: string): string {
  if (currency === null) return new Intl.NumberFormat(locale).format(amount)
  const options = { style: 'currency', currency, minimumFractionDigits: 0 } as const
  return new Intl.NumberFormat(locale, options).format(amount)
}

const formatPercent = (percent: number, { locale }: DigestWords): string =>
  new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  }).format(percent / 100)

function toText(
  sections: Section[],
  why: string,
  { unsubscribeUrl }: DigestFacts,
  { stop }: DigestWords,
): string {
  const blocks = sections.map(({ heading, items, more }) =>
    [
      heading,
      ...items.flatMap(({ title, details, url }) => [
        `- ${title}`,
        `  ${details}`,
        ...(url ? [`  ${url}`] : []),
      ]),
      ...(more ? [more] : []),
    ].join('\n'),
  )
  const end = unsubscribeUrl === null ? why : `${why}\n${stop}: ${unsubscribeUrl}`
  return `${[...blocks, `-- \n${end}`].join('\n\n')}\n`
}

const styles = {
  body: 'font:16px/1.5 system-ui,sans-serif;color:#14181f;max-width:40rem;margin:0 auto;padding:16px',
  heading: 'font-size:18px;margin:24px 0 8px',
  item: 'margin:0 0 12px',
  details: 'color:#4a5160',
  foot: 'margin-top:32px;border-top:1px solid #d8dce3;padding-top:12px;font-size:13px;color:#4a5160',
}

function toHtml(
  sections: Section[],
  { title, why, unsubscribeUrl }: { title: string; why: string; unsubscribeUrl: string | null },
  { stop, locale }: DigestWords,
): string {
  const toItemHtml = ({ title, details, url }: Item) => {
    const name = `<strong>${escapeMarkup(title)}</strong>`
    const head = url === null ? name : `<a href="${escapeMarkup(url)}">${name}</a>`
    return `<p style="${styles.item}">${head}<br><span style="${styles.details}">${escapeMarkup(details)}</span></p>`
  }
  const blocks = sections.map(({ heading, items, more }) =>
    [
      `<h2 style="${styles.heading}">${escapeMarkup(heading)}</h2>`,
      ...items.map(toItemHtml),
      ...(more ? [`<p>${escapeMarkup(more)}</p>`] : []),
    ].join('\n'),
  )
  const link =
    unsubscribeUrl === null ? '' : `<br><a href="${escapeMarkup(unsubscribeUrl)}">${escapeMarkup(stop)}</a>`
  return `<!doctype html>
<html lang="${locale.slice(0, 2)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeMarkup(title)}</title></head>
<body style="${styles.body}">
${blocks.join('\n')}
<p style="${styles.foot}">${escapeMarkup(why)}${link}</p>
</body>
</html>
`
}
