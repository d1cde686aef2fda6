/** The texts of a template that a request writes, one per language, checked together. */
import type { InputError } from '../../kit/problem.ts'
import { noParts, type TemplateParts } from '../../plugins/chat.ts'
import { catalogueByName } from './catalogue.ts'
import { checkContent, measureContent } from './content.ts'
import { bodiesMaxSize, partMinSize } from './liquid/limits.ts'
import type { StoredVariable, TemplateRow, VariantRow } from './queries.ts'
import type { NewTemplate, SentParts, TemplateChanges } from './schemas.ts'
import { type DeclaredVariable, findDeclarationErrors, type OwnType } from './text-variables.ts'

/** A text to be stored as a version. */
export interface NewText {
  language: string
  body: string
  parts: TemplateParts
  variables: StoredVariable[]
}

interface TextInput {
  language: string
  body: string
  parts: TemplateParts
  declared: readonly DeclaredVariable[]
  /** The JSON pointer of the object with the body. */
  path: string
}

export interface CheckedTexts {
  /** Empty if there are errors. The default language first. */
  texts: NewText[]
  errors: InputError[]
}

/** A declared list as the request sent it. */
interface SentList {
  declared: readonly DeclaredVariable[]
  path: string
  /** The texts that may use it. */
  users: (text: TextInput) => boolean
}

/** Checks a new template. Invalid fields are missing from `input`. */
export function checkNewTemplate(input: Partial<NewTemplate>): CheckedTexts {
  const variables = toComplete(input.variables)
  const main = toText({ ...input, parts: toParts(input), declared: variables, path: '' })
  return checkTexts([...main, ...toVariantTexts(input, variables, () => undefined)], input, input.language)
}

/** Checks changes of a template. Texts that the request does not write are not among the results. */
export function checkChanges(changes: TemplateChanges, template: TemplateRow): CheckedTexts {
  const language = changes.language ?? template.language
  const findStored = (wanted: string) => template.variants.find(variant => variant.language === wanted)
  const stored = findStored(language)
  if (!stored && changes.body === undefined) {
    const languages = template.variants.map(variant => variant.language).join(', ')
    const message = `is no language of the template: it has ${languages}. Send \`body\` too`
    return { texts: [], errors: [{ path: '/language', code: 'NOT_ALLOWED', message }] }
  }
  const variables = changes.variables ?? toDeclared(stored, template.variants[0]!)
  const body = changes.body ?? stored!.body
  const { header, footer, buttons } = changes
  const isWritten = [changes.body, changes.variables, header, footer, buttons].some(
    field => field !== undefined,
  )
  const parts = toParts(changes, stored?.parts)
  const main = isWritten ? [{ language, body, parts, declared: variables, path: '' }] : []
  return checkTexts([...main, ...toVariantTexts(changes, variables, findStored)], changes, language)
}

function toVariantTexts(
  { variants = [] }: Pick<Partial<NewTemplate>, 'variants'>,
  inherited: readonly DeclaredVariable[],
  findStored: (language: string) => VariantRow | undefined,
): TextInput[] {
  return variants.flatMap((variant, index) => {
    const stored = findStored(variant.language)
    const own = inherited.map(one => ({ ...one, fallback: null }))
    const kept = stored ? merge(toDeclared(stored, stored), own) : own
    const declared = variant.variables ? merge(toComplete(variant.variables), own) : kept
    const parts = toParts(variant, stored?.parts)
    return toText({ ...variant, parts, declared, path: `/variants/${index}` })
  })
}

function checkTexts(
  inputs: TextInput[],
  sent: Pick<Partial<NewTemplate>, 'variables' | 'variants'>,
  mainLanguage: string | undefined,
): CheckedTexts {
  const lists: SentList[] = [
    { declared: toComplete(sent.variables), path: '/variables', users: () => true },
    ...(sent.variants ?? []).map((variant, index) => ({
      declared: toComplete(variant.variables),
      path: `/variants/${index}/variables`,
      users: ({ path }: TextInput) => path === `/variants/${index}`,
    })),
  ]
  const tooLarge = findTooLarge(inputs)
  if (tooLarge) return { texts: [], errors: [tooLarge] }
  const errors = [
    ...lists.flatMap(({ declared, path }) => findDeclarationErrors(declared, path)),
    ...findRepeatedLanguages(sent.variants ?? [], mainLanguage),
  ]
  const checked = inputs.map(input => ({ input, ...checkContent(input, input.declared, input) }))
  errors.push(...checked.flatMap(({ input: { path }, errors }) => pointToSent(errors, path, sent)))
  if (errors.length > 0) return { texts: [], errors }
  const unused = lists.flatMap(({ declared, path, users }) => {
    const used = checked
      .filter(({ input }) => users(input))
      .flatMap(({ variables }) => variables.map(({ name }) => name))
    return declared.flatMap(({ name }, index) =>
      used.includes(name)
        ? []
        : [{ path: `${path}/${index}/name`, code: 'NOT_USED', message: 'is used in no text' }],
    )
  })
  const texts = checked.map(({ input: { language, body, parts }, variables }) => ({
    language,
    body,
    parts,
    variables,
  }))
  return unused.length > 0 ? { texts: [], errors: unused } : { texts, errors: [] }
}

/** A stored part that the request does not send is checked too: the error is in what it sends. */
function pointToSent(
  errors: InputError[],
  path: string,
  { variants, ...main }: Pick<Partial<NewTemplate>, 'variables' | 'variants'>,
): InputError[] {
  const text: object = path === '' ? main : variants![Number(path.split('/')[2])]!
  const sent = ['variables', 'body', 'header', 'buttons', 'footer'].filter(
    field => (text as Record<string, unknown>)[field] !== undefined,
  )
  return errors.map(error => {
    const part = error.path.slice(path.length + 1)
    if (sent.length === 0 || sent.includes(part.split('/')[0]!)) return error
    return {
      ...error,
      path: `${path}/${sent[0]}`,
      message: `does not fit the stored ${part}: ${error.message}`,
    }
  })
}

/** Checking more texts would keep all other requests waiting. */
function findTooLarge(inputs: TextInput[]): InputError | null {
  let size = 0
  for (const input of inputs) {
    size += measureContent(input)
    if (size > bodiesMaxSize)
      return {
        path: `${input.path}/body`,
        code: 'TOO_MANY',
        message: `all texts together have more than ${bodiesMaxSize} characters in variables and tags, each counted as ${partMinSize} or more`,
      }
  }
  return null
}

function findRepeatedLanguages(
  variants: { language?: string }[],
  mainLanguage: string | undefined,
): InputError[] {
  const languages = [mainLanguage, ...variants.map(({ language }) => language)]
  return variants.flatMap(({ language }, index) =>
    language !== undefined && languages.indexOf(language) <= index
      ? [{ path: `/variants/${index}/language`, code: 'DUPLICATE', message: 'has a text already' }]
      : [],
  )
}

const toText = ({
  language,
  body,
  ...text
}: Pick<TextInput, 'parts' | 'declared' | 'path'> & Partial<TextInput>): TextInput[] =>
  language === undefined || body === undefined ? [] : [{ ...text, language, body }]

/** What was not sent is as in `former`. */
function toParts(sent: SentParts, former: TemplateParts = noParts): TemplateParts {
  const { header, footer, buttons } = sent
  return {
    header: header === undefined ? former.header : header && { kind: header.kind, text: header.text ?? null },
    footer: footer === undefined ? former.footer : footer,
    buttons: buttons?.map(({ kind, title, value = null }) => ({ kind, title, value })) ?? former.buttons,
  }
}

/** Without the items whose names are invalid. */
const toComplete = (declared: readonly DeclaredVariable[] = []): DeclaredVariable[] =>
  declared.filter(({ name }) => name !== undefined)

/** What was declared for a stored text; for a new language, what was declared for `other`, without fallbacks. */
function toDeclared(stored: VariantRow | undefined, other: VariantRow): DeclaredVariable[] {
  return (stored ?? other).variables.map(({ name, type, fallback, example }) => ({
    name,
    ...(catalogueByName.has(name) ? {} : { type: type as OwnType }),
    fallback: stored ? fallback : null,
    example,
  }))
}

/** The first declaration of a name counts. */
function merge(first: readonly DeclaredVariable[], second: readonly DeclaredVariable[]): DeclaredVariable[] {
  const names = first.map(({ name }) => name)
  return [...first, ...second.filter(({ name }) => !names.includes(name))]
}
