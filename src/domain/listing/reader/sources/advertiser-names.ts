/** Names of advertisers that no label announces: portraits and logos, sentences of the description, the agency's site. */
import { toPlainWords } from '../../../plain-words.ts'
import { isAgencyName } from '../agency-words.ts'
import { isInAdvertiserPart } from '../node-names.ts'
import type { Candidate } from '../page-listing.ts'
import type { PageRuns, TextRun } from '../page-runs.ts'
import { collectMeta, extractNodeText, findFirst, type PageNode, type PageTree } from '../page-tree.ts'
import { isProperName } from '../text-values.ts'
import { allLanguages, findPhrase, parseHeading, parseLabel, toPhrase } from '../words/words.ts'

const nameMax = 100
const candidatesMax = 4
const climbsMax = 5
const contactsMax = 20
/** An element with more texts than this is no box of contact data. */
const boxRunsMax = 60
const logoWords =
  /^(?:logo(?:tipo)?|profilbild|foto|photo|portrait|ritratto|retrato)\s+(?:(?:von|vom|de|del|der|di|da|do|du|of|van|firmy)\s+)?|\s+logo(?:tipo)?$/iu

/** The names beside portraits and logos. */
export function readPortraits(tree: PageTree, page: PageRuns): Candidate[] {
  const images = tree.nodes.filter(
    node => node.name === 'img' && (node.attributes.alt?.trim().length ?? 0) > 3 && !page.isExcluded(node),
  )
  if (images.length === 0) return []
  const boxes = collectContactBoxes(tree, page)
  const runs = new Map<string, TextRun>()
  for (const run of page.runs)
    if (!run.isAttribute && run.text.length <= nameMax && run.node.name !== 'title') {
      const phrase = toPhrase(run.text)
      if (!runs.has(phrase) || isInAdvertiserPart(run.node)) runs.set(phrase, run)
    }
  const found = new Map<string, Candidate>()
  for (const node of images) {
    const alt = node.attributes.alt!.trim().slice(0, nameMax + 20)
    const name = alt.replace(logoWords, '').trim()
    const run = runs.get(toPhrase(name))
    if (run === undefined || found.size >= candidatesMax || !isName(name)) continue
    const isLogo = name !== alt
    if (!isLogo && !isInAdvertiserPart(node) && !isInBoxWith(node, run, boxes, page)) continue
    found.set(name, toCandidate(name, isLogo ? 'logo name' : 'portrait name', 0.42))
  }
  return [...found.values()]
}

/** The elements around links for phone calls and e-mail. */
function collectContactBoxes(tree: PageTree, page: PageRuns): ReadonlySet<PageNode> {
  const boxes = new Set<PageNode>()
  let left = contactsMax
  for (const node of tree.nodes) {
    if (node.name !== 'a' || !/^(?:tel|mailto):/i.test(node.attributes.href ?? '')) continue
    if (page.isExcluded(node)) continue
    left -= 1
    if (left < 0) break
    for (const ancestor of listAncestors(node, page)) boxes.add(ancestor)
  }
  return boxes
}

function listAncestors(node: PageNode, page: PageRuns): PageNode[] {
  const ancestors: PageNode[] = []
  let current = node.parent
  for (let climbs = 0; current !== null && current.index >= 0 && climbs < climbsMax; climbs += 1) {
    const [start, end] = page.rangeOf(current)
    if (end - start > boxRunsMax || current.name === 'body') break
    ancestors.push(current)
    current = current.parent
  }
  return ancestors
}

function isInBoxWith(node: PageNode, run: TextRun, boxes: ReadonlySet<PageNode>, page: PageRuns): boolean {
  const box = listAncestors(node, page).find(ancestor => boxes.has(ancestor))
  if (box === undefined) return false
  const [start, end] = page.rangeOf(box)
  return run.index >= start && run.index < end
}

function isName(name: string): boolean {
  return (
    (isProperName(name) || (name.length > 60 && isAgencyName(name))) &&
    /\s/.test(name) &&
    parseLabel(name) === null &&
    parseHeading(name) === null &&
    findPhrase('subtype', toPhrase(name), allLanguages) === null
  )
}

function toCandidate(value: string, where: string, weight: number): Candidate {
  return { field: 'advertiserName', value, source: 'text', where, weight }
}

const verbs: [RegExp, boolean][] = [
  [
    /\s(?:is|are|were|was) (?:very |absolutely |now )?(?:delighted|pleased|proud|thrilled|excited|honou?red|privileged) to (?:present|offer|bring|introduce|market|announce|showcase|list|welcome)\b/iu,
    false,
  ],
  // Houses offer and present things, too.
  [/\s(?:presenta|ofrece|comercializa|pone a la venta|le ofrece|tiene el placer de|vende|alquila)\s/u, true],
  [/\s(?:presenta|ofereix|comercialitza|propone|apresenta|tem o prazer|affitta|offre)\s/u, true],
  [/\s(?:vous propose|vous présente|a le plaisir de)\s/u, true],
  [/\s(?:präsentiert|bietet|freut sich)\s/u, true],
]
const beforeMax = 70
const readMax = 20_000
const textsMax = 8

/** `Allen & Jacobs are delighted to present …` */
export function readStatedNames(candidates: readonly Candidate[]): Candidate[] {
  const names = new Set<string>()
  const texts = candidates.flatMap(({ field, value }) =>
    field === 'description' ? value.slice(0, readMax) : [],
  )
  for (const text of [...new Set(texts)].slice(0, textsMax)) {
    for (const [pattern, isByWord] of verbs) {
      const match = pattern.exec(text)
      const name =
        match === null ? null : findNameAtEnd(text.slice(Math.max(0, match.index - beforeMax), match.index))
      if (name !== null && (!isByWord || isAgencyName(name))) names.add(name)
    }
  }
  return [...names].slice(0, candidatesMax).flatMap((name): Candidate[] => {
    const candidate = toCandidate(name, 'description', 0.4)
    // Persons offer their own homes.
    return isAgencyName(name)
      ? [candidate, { field: 'advertiserType', value: 'agency', source: 'text', where: name, weight: 0.3 }]
      : [candidate]
  })
}

/** The words with capital letters at the end of a text. */
function findNameAtEnd(text: string): string | null {
  const sentence = text.split(/[.!?\n:;,]\s|\n|^\s+/).at(-1) ?? ''
  const words = sentence.split(/\s+/)
  let start = words.length
  while (start > 0 && /^(?:[^\p{L}]?\p{Lu}|\d|&|and$|y$|e$|et$|und$|de$|of$|\+)/u.test(words[start - 1]!))
    start -= 1
  while (start < words.length && !/^\p{Lu}|^\d/u.test(words[start]!)) start += 1
  const name = words.slice(start).join(' ')
  return isProperName(name) && /\s/.test(name) && !/^(?:We|The|Our|This|I|It|She|He|They)\b/.test(name)
    ? name
    : null
}

/** Pages that invite to advertise belong to portals. */
const portalWords =
  /(?:post|publish|place|submit|list|add) (?:an? |your |my )?(?:free )?(?:ad|advert|listing|property|property ad)(?![\p{L}])|sell (?:on|with) |advertise (?:with|on|your)|(?:publica|publicar|poner|anunciar?|sube|subir)(?: tu| un| su| o seu| seu)?(?: anuncios?| inmueble| im[oó]vel)(?: gratis)?|anuncie|anunciar im|pubblica (?:il tuo |un )?annunci|inserisci (?:un )?annunci|d[eé]poser une annonce|publier une annonce|anzeige aufgeben|inserieren|plaats (?:een )?advertentie|dodaj og[lł]oszenie|vlo[zž]it inzer[aá]t|p[rř]idat inzer[aá]t|подать объявление|разместить объявление/iu
const domainName = /\.[a-z]{2,4}$/i
const pageTextMax = 60_000

/**
 * The name of an agency's own site: the title or the meta data name the site as its address does, and no portal has such
 * a name without inviting its readers to advertise.
 */
export function readSite(tree: PageTree, url: string): Candidate[] {
  const name = findSiteName(tree, url)
  if (name === null || domainName.test(name) || !isAgencyName(name)) return []
  if (portalWords.test(extractNodeText(findFirst(tree, 'body') ?? tree.root, pageTextMax))) return []
  return [
    toCandidate(name, 'site name', 0.28),
    { field: 'advertiserType', value: 'agency', source: 'text', where: 'site name', weight: 0.3 },
  ]
}

function findSiteName(tree: PageTree, url: string): string | null {
  const host = toKey(
    URL.parse(url)
      ?.hostname.replace(/^www\./, '')
      .replace(/\.(?:com?\.)?[a-z]{2,10}$/, '') ?? '',
  )
  const title = findFirst(tree, 'title')
  const parts = title === null ? [] : extractNodeText(title, 300).split(/\s[|–—:-]\s|\s?[|]\s?/)
  const names = [collectMeta(tree).get('og:site_name')?.[0] ?? '', parts.at(-1) ?? '', parts[0] ?? '']
  return names.map(name => name.trim().slice(0, nameMax)).find(name => isNameOfHost(name, host)) ?? null
}

function isNameOfHost(name: string, host: string): boolean {
  if (host.length < 2 || name.length < 4 || !/\s/.test(name)) return false
  const [short, long] = [toKey(name), host].toSorted((a, b) => a.length - b.length) as [string, string]
  return (short.length >= 5 && long.startsWith(short)) || toKey(name.split(/\s/)[0]!) === host
}

function toKey(text: string): string {
  return toPlainWords(text)
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
