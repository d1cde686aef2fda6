/** The advertiser: phone links and elements that are named after agents. */
import { parseInstant } from '../../values.ts'
import { isAgencyName } from '../agency-words.ts'
import { isInAdvertiserPart, toElementNames } from '../node-names.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns } from '../page-runs.ts'
import { collectMeta, extractNodeText, type PageNode, type PageTree } from '../page-tree.ts'
import { toPhoneKey } from '../reconcile.ts'
import { isProperName, parsePhoneValue, type TextContext } from '../text-values.ts'
import { findPhrase, findWords, parseHeading, parseLabel, toPhrase } from '../words/words.ts'
import { readPortraits, readSite } from './advertiser-names.ts'

const nameNames = /(?:^|[\s_-])(?:name|title|names|nombre|nom|nome|heading)(?:$|[\s_-])/i
const nameMax = 60
const phoneNames =
  /(?:^|[\s_-])(?:phones?|tel|telephone|telefono|telefone|telefon|mobile|movil|whatsapp|call)(?:$|[\s_-])/i
const candidatesMax = 6

/** The candidates of the advertiser's name, phone and kind. */
export function readAdvertiser(tree: PageTree, page: PageRuns, context: TextContext): Candidate[] {
  return [
    ...readPhones(tree, page),
    ...readNames(tree, page, context),
    ...readSections(page, context),
    ...readKind(page, context),
    ...readSiteName(tree, context),
    ...readSite(tree, context.url),
    ...readPortraits(tree, page),
  ]
}

/** Phone links, and texts that are a number. Those of the portal stand in its header and footer. */
function readPhones(tree: PageTree, page: PageRuns): Candidate[] {
  const found = new Map<string, { value: string; isOwn: boolean; isLink: boolean }>()
  const add = (value: string | null, node: PageNode, isLink: boolean) => {
    if (value === null || found.size >= candidatesMax) return
    const key = toPhoneKey(value)
    const isOwn = isInAdvertiserPart(node)
    const known = found.get(key)
    if (known === undefined) found.set(key, { value, isOwn, isLink })
    else {
      known.isOwn ||= isOwn
      known.isLink ||= isLink
    }
  }
  for (const node of tree.nodes) {
    const href = node.attributes.href
    if (node.name !== 'a' || href === undefined || !/^(?:tel|callto):/i.test(href) || page.isExcluded(node))
      continue
    add(parsePhoneValue(extractNodeText(node, 40)) ?? parsePhoneValue(decodePhone(href)), node, true)
  }
  for (const run of page.runs) {
    if (run.isAttribute || run.text.length > 30 || !/\d{2}/.test(run.text)) continue
    const isNamed = phoneNames.test(`${toElementNames(run.node)} ${findIconNames(run.node)}`)
    if (isNamed || /^\(?[+0]|^tel/i.test(run.text)) add(parsePhoneValue(run.text), run.node, isNamed)
  }
  const phones = [...found.values()].filter(({ isOwn, isLink }) => isOwn || isLink)
  const own = phones.filter(({ isOwn }) => isOwn)
  return (own.length > 0 ? own : phones.length === 1 ? phones : []).map(({ value, isOwn }, index) => ({
    field: 'advertiserPhone',
    value,
    source: 'text',
    where: 'phone',
    weight: (isOwn ? 0.5 : 0.4) - Math.min(index, 3) * 0.09,
  }))
}

/** The names of the icon before a text (`<i class="fa fa-phone"></i> 910 000 000`). */
function findIconNames(node: PageNode): string {
  const before = [node.children[0], node.parent?.children[node.place - 1]]
  return before
    .map(icon =>
      typeof icon === 'object' && extractNodeText(icon, 2) === ''
        ? (icon.attributes.class ?? '').slice(0, 100)
        : '',
    )
    .join(' ')
}

function decodePhone(href: string): string {
  const number = href.replace(/^[a-z]+:(?:\/\/)?/i, '').slice(0, 40)
  try {
    return decodeURIComponent(number)
  } catch {
    return number
  }
}

function readNames(tree: PageTree, page: PageRuns, { languages }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  for (const node of tree.nodes) {
    if (candidates.length >= candidatesMax) break
    const names = toElementNames(node)
    if (!nameNames.test(names) || page.isExcluded(node) || /^(?:input|meta|label)$/.test(node.name)) continue
    if (!isInAdvertiserPart(node)) continue
    const text = extractNodeText(node, nameMax + 1)
    if (!isPersonName(text)) continue
    const weight = 0.45 - candidates.length * 0.05
    candidates.push({
      field: 'advertiserName',
      value: text,
      source: 'text',
      where: names.slice(0, 60),
      weight,
    })
    const [kind] = findWords('advertiserType', text, languages)
    if (kind !== undefined)
      candidates.push({
        field: 'advertiserType',
        value: kind.value,
        source: 'text',
        where: text,
        weight: 0.45,
      })
  }
  return candidates
}

function isPersonName(text: string): boolean {
  return isProperName(text) && parseLabel(text) === null && parseHeading(text) === null
}

const sectionRunsMax = 4

/** The name after a heading such as "Contact agent", which may state the kind itself. */
function readSections(page: PageRuns, { languages }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  for (const run of page.runs) {
    if (run.isAttribute || candidates.length >= candidatesMax) continue
    const isHeading = /^(?:h[1-6]|strong|b|legend|div|span|p)$/.test(run.node.name)
    if (!isHeading || parseHeading(run.text) !== 'advertiser') continue
    const [kind] = findWords('advertiserType', run.text, languages)
    if (kind !== undefined)
      candidates.push({
        field: 'advertiserType',
        value: kind.value,
        source: 'text',
        where: run.text,
        weight: 0.35,
      })
    if (!/^h[1-6]$/.test(run.node.name)) continue
    const following = page.runs.slice(run.index + 1, run.index + 1 + sectionRunsMax)
    const name = following.find(({ text, isAttribute }) => !isAttribute && isPersonName(text))
    if (name !== undefined && name.node.name !== 'label' && /\s/.test(name.text))
      candidates.push({
        field: 'advertiserName',
        value: name.text,
        source: 'text',
        where: run.text,
        weight: 0.35,
      })
  }
  return candidates
}

const licencePattern =
  /\b(?:licen[cs]e (?:no|number|n°)|licence|PSRA|AMI[ :]*\d{3,}|carte professionnelle|§ ?34 ?c|AICAT|CRECI|FNAIM|DRE ?#|REA ?n)/i
const kindMax = 400
/** `Private - Anna Rovira` */
const kindAndName = /^([\p{L} ]{3,30})\s[-–]\s(.{3,60})$/u

/** The advertiser's kind by the words of its part: `Private seller`, `Estate agents`, the number of a licence. */
function readKind(page: PageRuns, { languages }: TextContext): Candidate[] {
  const candidates: Candidate[] = []
  const add = (value: 'private' | 'agency', where: string, weight: number) =>
    candidates.push({ field: 'advertiserType', value, source: 'text', where: where.slice(0, 60), weight })
  for (const run of page.runs) {
    if (candidates.length >= candidatesMax || run.text.length > kindMax) continue
    const phrase = run.text.length > 40 ? '' : toPhrase(run.text)
    const whole = phrase === '' || run.isAttribute ? null : findPhrase('advertiserType', phrase, languages)
    const isOwn = isInAdvertiserPart(run.node)
    const [, kindText, name] = isOwn ? (kindAndName.exec(run.text) ?? []) : []
    const named = kindText === undefined ? null : findPhrase('advertiserType', toPhrase(kindText), languages)
    if (named !== null && isPersonName(name!)) {
      add(named, run.text, 0.5)
      candidates.push({
        field: 'advertiserName',
        value: name!,
        source: 'text',
        where: 'kind and name',
        weight: 0.5,
      })
    }
    if (whole === 'private' && run.node.name !== 'a') add('private', run.text, isOwn ? 0.5 : 0.3)
    else if (whole === 'agency' && isOwn) add('agency', run.text, 0.45)
    else if (!run.isAttribute && licencePattern.test(run.text) && run.text.length < 120)
      add('agency', run.text, 0.45)
    else if (isOwn && run.text.length <= 60) {
      const [kind] = findWords('advertiserType', run.text, languages)
      if (kind !== undefined && (isProperName(run.text) || /^h[1-6]$/.test(run.node.name)))
        add(kind.value, run.text, isProperName(run.text) ? 0.4 : 0.3)
      else if (kind === undefined && !run.isAttribute && isPersonName(run.text) && isAgencyName(run.text))
        add('agency', run.text, 0.25)
    }
  }
  return candidates
}

/** A site whose name is that of an agency presents its own listings. */
function readSiteName(tree: PageTree, { languages }: TextContext): Candidate[] {
  const name = collectMeta(tree).get('og:site_name')?.[0]?.slice(0, 80) ?? ''
  const [kind] = findWords('advertiserType', name, languages)
  return kind?.value === 'agency'
    ? [{ field: 'advertiserType', value: 'agency', source: 'text', where: 'og:site_name', weight: 0.3 }]
    : []
}

/** Dates of the page that are stated in meta elements. */
export function readMetaDates(tree: PageTree): Candidate[] {
  const meta = collectMeta(tree)
  const candidates: Candidate[] = []
  const published = parseInstant(meta.get('article:published_time')?.[0])
  const updated = parseInstant(meta.get('article:modified_time')?.[0] ?? meta.get('og:updated_time')?.[0])
  if (published !== null)
    candidates.push({
      field: 'publishedAt',
      value: published,
      source: 'opengraph',
      where: 'article:published_time',
      weight: 0.4,
    })
  if (updated !== null)
    candidates.push({
      field: 'updatedAt',
      value: updated,
      source: 'opengraph',
      where: 'article:modified_time',
      weight: 0.4,
    })
  return candidates
}
