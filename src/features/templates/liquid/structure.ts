/** Checks the tags of a template before it is parsed: which there are, and how deep. */
import { Tokenizer, TypeGuards } from 'liquidjs'
import { didYouMean } from '../../../kit/did-you-mean.ts'
import { blockTags, engine, simpleTags } from './engine.ts'
import { bodyMaxLength, loopMaxLength, nestingMax, partMaxLength, partMinSize, partsMax } from './limits.ts'
import { TemplateError } from './template-error.ts'

const allowedTags = [...Object.keys(blockTags), ...simpleTags]

/** Throws TemplateError. Deep nesting would exhaust the stack of the parser, and nested loops multiply the work. */
export function checkStructure(body: string): void {
  if (body.length > bodyMaxLength)
    throw new TemplateError(`the text is longer than ${bodyMaxLength} characters`, [1, 1])
  const open: string[] = []
  const parts = readParts(body)
  if (parts.length > partsMax)
    throw new TemplateError(
      `the text has more than ${partsMax} variables and tags`,
      parts[partsMax]!.getPosition(),
    )
  let loopLength = 0
  for (const token of parts) {
    const fail = (message: string) => new TemplateError(message, token.getPosition())
    if (token.size() > partMaxLength) throw fail(`longer than ${partMaxLength} characters`)
    if (open.includes('for')) loopLength += token.size()
    if (loopLength > loopMaxLength)
      throw fail(`the variables and tags within loops have more than ${loopMaxLength} characters`)
    if (!TypeGuards.isTagToken(token)) continue
    const { name } = token
    const inner = open.at(-1)
    if (name === `end${inner}`) open.pop()
    else if (name in blockTags) {
      if (name === 'for' && open.includes('for')) throw fail('a loop cannot contain another loop')
      open.push(name)
      if (open.length > nestingMax) throw fail(`more than ${nestingMax} tags contain each other`)
    } else if (!simpleTags.includes(name) && !(inner && blockTags[inner]?.includes(name)))
      throw fail(explainTag(name, inner))
  }
}

const readParts = (body: string) =>
  new Tokenizer(body).readTopLevelTokens(engine.options).filter(part => !TypeGuards.isHTMLToken(part))

/** Measures how long a text takes, by its variables and tags: other characters take next to no time. */
export function measureBody(body: string): number {
  try {
    return readParts(body).reduce((sum, part) => sum + Math.max(part.size(), partMinSize), 0)
  } catch {
    // A variable or tag without an end.
    return body.length
  }
}

function explainTag(name: string, inner: string | undefined): string {
  if (name.startsWith('end')) return `{% ${name} %} closes nothing`
  if (Object.values(blockTags).some(parts => parts.includes(name)))
    return `{% ${name} %} does not belong into ${inner ? `{% ${inner} %}` : 'the text outside of a tag'}`
  return `there is no tag ${name.slice(0, 50)}${didYouMean(name, allowedTags) || `; the tags are ${allowedTags.join(', ')}`}`
}
