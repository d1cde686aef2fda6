/** The API schemas of property sheets. */
import { advertisingSeverities, confirmations } from '../../domain/advertising-rules/rule.ts'
import { longPollQuery } from '../../kit/operations/long-poll.ts'
import { pageQuery } from '../../kit/page.ts'
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../kit/schema.ts'
import { newShareSchema, shareSchema } from '../shares/schemas.ts'
import { Advertising, AdvertisingChanges } from './advertising-schemas.ts'
import { sheetLanguages, sheetLayouts } from './sheet/sheet.ts'
import {
  Agent,
  Energy,
  EnergyChanges,
  FichaPhoto,
  FichaProperty,
  FichaPropertyChanges,
  NewAgent,
  PhotoChoice,
  Privacy,
  PrivacyChanges,
  photosMax,
} from './sheet-schemas.ts'

export const fichaStatuses = ['generating', 'ready', 'failed'] as const
export const waitSecondsDefault = 20

const language = oneOf(sheetLanguages, { description: 'The language of the words, numbers and dates.' })
const layout = oneOf(sheetLayouts, { description: 'How the sheet looks.' })
const status = oneOf(fichaStatuses, {
  description: '`generating`: the listing is being read; `ready`; `failed`: see `error`.',
})
const leadId = nullable(id('The lead of the listing; null: none is known.'))

const listingUrl = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: 2000, description })))

/** `urlField`: the second name of the URL, by the first portal. */
export const newFicha = (urlField: string, portalName: string) =>
  strictObject(
    {
      propertyUrl: listingUrl('The URL of a listing of a portal with the capability `ficha`.'),
      [urlField]: listingUrl(`The same, for a listing of ${portalName}. One of the two is required.`),
      leadId: Type.Optional(
        nullable(id('The lead of the listing. If omitted, it is found by the listing, if there is one.')),
      ),
      language: Type.Optional(language),
      layout: Type.Optional(layout),
      privacy: Type.Optional(PrivacyChanges),
      energy: Type.Optional(EnergyChanges),
      advertising: Type.Optional(AdvertisingChanges),
      agent: Type.Optional(nullable(NewAgent)),
      waitSeconds: Type.Integer({
        minimum: 0,
        maximum: 30,
        default: waitSecondsDefault,
        description: 'Wait until the sheet is ready, for at most this number of seconds.',
      }),
    },
    {
      title: 'NewFicha',
      description: 'Omitted choices have the values of the setting `sheetDefaults`.',
    },
  )
export interface NewFicha {
  propertyUrl?: string | null
  leadId?: string | null
  language?: Static<typeof language>
  layout?: Static<typeof layout>
  privacy?: Static<typeof PrivacyChanges>
  energy?: EnergyChanges
  advertising?: AdvertisingChanges
  agent?: NewAgent | null
  waitSeconds: number
}

export const FichaChanges = strictObject(
  {
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'The version that was changed. 409 `VERSION_CONFLICT` if it is no longer the current one.',
      }),
    ),
    property: Type.Optional(FichaPropertyChanges),
    photos: Type.Optional(
      Type.Array(PhotoChoice, {
        maxItems: photosMax,
        description: 'The photos of the sheet, in this order. Others are left out, and can be chosen again.',
      }),
    ),
    privacy: Type.Optional(PrivacyChanges),
    energy: Type.Optional(EnergyChanges),
    advertising: Type.Optional(AdvertisingChanges),
    agent: Type.Optional(nullable(NewAgent)),
    layout: Type.Optional(layout),
    language: Type.Optional(language),
  },
  { title: 'FichaChanges', description: 'Omitted fields keep their value.' },
)
export type FichaChanges = Static<typeof FichaChanges>

export const FichaFilter = strictObject({
  ...pageQuery,
  status: Type.Optional(status),
  leadId: Type.Optional(id('Only the sheets of this lead.')),
})
export type FichaFilter = Static<typeof FichaFilter>

export const FichaQuery = strictObject(longPollQuery)

export const SheetQuery = strictObject({
  language: Type.Optional(oneOf(sheetLanguages, { description: 'Default: the language of the sheet.' })),
})

export const FichaShare = shareSchema({ title: 'FichaShare', subject: 'the sheet', pdfPath: '/sheet.pdf' })
export const NewFichaShare = newShareSchema('NewFichaShare')

const Evidence = strictObject(
  {
    source: Type.String({
      description: 'The source in the page, such as `json-ld`; `edited`: somebody has changed the value.',
    }),
    where: nullable(Type.String({ description: 'The place in the source.' })),
    confidence: nullable(Type.Number({ description: 'From 0 to 1; null: not measured.' })),
  },
  { title: 'FichaEvidence', description: 'Where a value comes from.' },
)

const Warning = strictObject(
  {
    code: Type.String({ description: 'The kind of warning. Stable, for programs.' }),
    field: Type.String({ description: 'The field that it is about.' }),
    severity: oneOf(advertisingSeverities, {
      description:
        '`required`: the law requires it in advertising; `recommended`: the sheet is better with it.',
    }),
    message: Type.String({ description: 'What is missing, for people.' }),
    law: nullable(
      strictObject(
        {
          title: Type.String({ description: 'The title of the law.' }),
          article: nullable(Type.String({ description: 'The article; null: not known.' })),
          url: Type.String({ description: 'Where its text is.' }),
        },
        { title: 'FichaLaw', description: 'The law that wants it; null: none.' },
      ),
    ),
    confirmation: nullable(
      oneOf(confirmations, {
        description:
          'What the rule was checked against. `text`: the text of the law; `secondary`: what others write about it; `none`: nothing was found. null: there is no law.',
      }),
    ),
  },
  { title: 'FichaWarning', description: 'Something that the sheet lacks.' },
)

const contentFields = {
  property: nullable(FichaProperty),
  privacy: Privacy,
  energy: Energy,
  advertising: Advertising,
  agent: nullable(Agent),
  layout,
  language,
}

const fichaFields = {
  id: id('The sheet.'),
  status,
  platform: Type.String({ description: 'The portal of the listing.' }),
  sourceUrl: Type.String({ description: 'The URL of the listing.' }),
  leadId,
  ...contentFields,
  evidence: Type.Record(Type.String(), Evidence, {
    description: 'Where each value of the property comes from, by its field.',
  }),
  branding: strictObject(
    {
      name: nullable(Type.String({ description: 'The name of the workspace.' })),
      color: nullable(Type.String({ description: 'As #1d4e79; null: the default colour.' })),
      phone: nullable(Type.String({ description: 'The phone number, as printed.' })),
      email: nullable(Type.String({ description: 'The e-mail address.' })),
      website: nullable(Type.String({ description: 'The website, as printed.' })),
      legalText: nullable(Type.String({ description: 'The text at the end of every sheet.' })),
    },
    { title: 'FichaBranding', description: 'The present branding of the workspace.' },
  ),
  photos: Type.Array(FichaPhoto, {
    description: 'The photos of the sheet in its order, then those that it leaves out.',
  }),
  warnings: Type.Array(Warning, { description: 'What the sheet lacks.' }),
  links: strictObject(
    {
      html: nullable(Type.String({ description: 'The sheet as a page, with a key; null: not ready.' })),
      pdf: nullable(Type.String({ description: 'The sheet as a PDF, with a key; null: not ready.' })),
      share: nullable(Type.String({ description: 'The public page; null: not shared.' })),
      qr: nullable(
        Type.String({ description: 'A QR code of the public page, with a key; null: not shared.' }),
      ),
    },
    { title: 'FichaLinks', description: 'Where the sheet is.' },
  ),
  share: nullable(FichaShare),
  version: Type.Integer({ description: 'Grows with each change; 0: there is no version yet.' }),
  error: nullable(
    strictObject(
      {
        code: Type.String({ description: 'The kind of error. Stable, for programs.' }),
        message: Type.String({ description: 'Why the sheet could not be made, for people.' }),
      },
      { title: 'FichaError', description: 'Set if the sheet has failed.' },
    ),
  ),
  createdAt: time('When it was requested.'),
  updatedAt: time('When it last changed.'),
}

export const Ficha = strictObject(fichaFields, { title: 'Ficha', description: 'A property sheet.' })
export type Ficha = Static<typeof Ficha>

const { links: _links, share: _share, evidence: _evidence, ...fieldsWithoutLinks } = fichaFields
/**
 * The sheet in webhook messages. It has no links, because a share link gives access to it, and no evidence, because
 * messages are small.
 */
export const FichaWithoutLinks = strictObject(fieldsWithoutLinks, {
  title: 'FichaWithoutLinks',
  description: 'A property sheet.',
})
export type FichaWithoutLinks = Static<typeof FichaWithoutLinks>

export const FichaVersion = strictObject(
  {
    version: Type.Integer({ description: 'The number of the version, from 1.' }),
    ...contentFields,
    photos: Type.Array(FichaPhoto, { description: 'As in the sheet.' }),
    createdAt: time('When it was made.'),
  },
  { title: 'FichaVersion', description: 'The content of a sheet at one time.' },
)
export type FichaVersion = Static<typeof FichaVersion>
