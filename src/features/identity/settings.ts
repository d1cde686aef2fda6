/** Settings for all features: the branding and the language of documents. */
import type { Branding } from '../../documents/document.ts'
import { documentLanguages } from '../../documents/languages.ts'
import { parseLogo } from '../../documents/logo.ts'
import type { Tx } from '../../kit/db/index.ts'
import { oneOf, strictObject, type TSchema, Type } from '../../kit/schema.ts'
import { setting } from '../../kit/settings/setting.ts'
import { hasValue, readSetting } from '../../kit/settings/setting-store.ts'
import { getWorkspaceFacts } from './queries.ts'

const roles = { read: 'agent', write: 'admin' } as const
/** A nullable field with default null. */
const optional = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null })

export const branding = setting({
  name: 'branding',
  scope: 'workspace',
  description:
    'The colour of reports and the contact data on them. null: not printed, or the default colour.',
  schema: strictObject({
    color: optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'As #1d4e79.' })),
    phone: optional(Type.String({ maxLength: 50, description: 'The phone number, as printed.' })),
    email: optional(Type.String({ pattern: '^[^\\s@]{1,64}@[^\\s@]{1,190}$' })),
    website: optional(Type.String({ maxLength: 200, description: 'The website, as printed.' })),
  }),
  default: { color: null, phone: null, email: null, website: null },
  roles,
})

/** 1 MB in base64 plus the prefix. */
const logoMaxLength = 1_333_400

/** Separate from `branding`, so that other changes do not write a megabyte and lists do not read it. */
export const logo = setting({
  name: 'logo',
  scope: 'workspace',
  description:
    'The logo on reports, as a base64 data: URL: a PNG or JPEG of up to 4000 pixels per side, or an SVG without embedded content; up to 1 MB.',
  schema: Type.Union([
    Type.String({ maxLength: logoMaxLength, pattern: '^data:image/(png|jpeg|svg\\+xml);base64,' }),
    Type.Null(),
  ]),
  default: null,
  roles,
  check: value =>
    value === null || parseLogo(value)
      ? []
      : [{ path: '', code: 'NOT_ALLOWED', message: 'The image cannot be printed as a logo.' }],
})

export const documentLanguage = setting({
  name: 'documentLanguage',
  scope: 'workspace',
  description: 'The default language of reports.',
  schema: oneOf(documentLanguages),
  default: 'es',
  roles,
})

export const settings = [branding, logo, documentLanguage]

/** Converts the bytes of an image to a value of `logo`; null if it cannot be printed. */
export function toLogo(bytes: Uint8Array): string | null {
  const image = parseLogo(bytes)
  if (!image) return null
  const type = image.format === 'svg' ? 'svg+xml' : image.format
  return `data:image/${type};base64,${image.bytes.toString('base64')}`
}

/** Reads the branding of documents and the time zone of their dates (IANA). */
export async function readBranding(tx: Tx): Promise<{ branding: Branding; timezone: string }> {
  const [{ branding: facts, timezone }, logoUrl] = await Promise.all([
    readBrandingFacts(tx),
    readSetting(tx, logo),
  ])
  return { branding: { ...facts, logo: logoUrl }, timezone }
}

/** The logo as a `data:` URL; null: there is none. */
export const readLogo = (tx: Tx): Promise<string | null> => readSetting(tx, logo)

export const hasLogo = (tx: Tx): Promise<boolean> => hasValue(tx, logo)

/** The same without the logo, which may have a megabyte. */
export async function readBrandingFacts(
  tx: Tx,
): Promise<{ branding: Omit<Branding, 'logo'>; timezone: string; currency: string }> {
  const [{ name, timezone, currency }, facts] = await Promise.all([
    getWorkspaceFacts(tx),
    readSetting(tx, branding),
  ])
  return { branding: { name, ...facts }, timezone, currency }
}
