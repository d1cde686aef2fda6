/** The API schema of changes: what a run of a saved search has found. */
import { pageQuery } from '../../../kit/page.ts'
import {
  commaSeparated,
  id,
  nullable,
  oneOf,
  type Static,
  strictObject,
  Type,
  time,
} from '../../../kit/schema.ts'
import { changeTypes } from '../campaigns/notification-schemas.ts'

export const goneReasons = ['LISTING_WITHDRAWN', 'NOT_IN_SEARCH'] as const

const price = (description: string) => nullable(Type.Number({ description }))

/** Also of the items of the event. */
export const changeFields = {
  id: id('The change.'),
  type: oneOf(changeTypes, {
    description: '`new`: the search shows it for the first time, or again; `cheaper`; `gone`.',
  }),
  leadId: id('The lead of the listing.'),
  isReturned: Type.Boolean({ description: 'A new listing that was gone before.' }),
  reason: nullable(
    oneOf(goneReasons, {
      description:
        'Why it is gone. `LISTING_WITHDRAWN`: the portal has withdrawn it; `NOT_IN_SEARCH`: the whole search was read and does not show it, for example because its price rose above the filter. Null: it is not gone.',
    }),
  ),
  price: price('The price now, or the last one of a listing that is gone; null: not known.'),
  previousPrice: price('The price that the run before has seen; null: the listing is new, or not known.'),
  changePercent: price(
    'The change of the price in percent, to one decimal: -5.1 is cheaper. Null: not known.',
  ),
  currency: nullable(Type.String({ description: 'The currency, ISO 4217; null: not known.' })),
}

export const CampaignChange = strictObject(
  {
    ...changeFields,
    runId: id('The run that found it.'),
    listingId: Type.String({ description: 'The listing, by its id at the portal.' }),
    platform: Type.String({ description: 'The portal.' }),
    title: nullable(Type.String({ description: 'The title of the lead now; null: it has none.' })),
    municipality: nullable(Type.String({ description: 'Its place; null: not known.' })),
    url: nullable(Type.String({ description: 'The page of the listing; null: not known.' })),
    createdAt: time('When it was found.'),
  },
  {
    title: 'CampaignChange',
    description: 'A listing that is new, cheaper or gone in the search of a campaign.',
  },
)
export type CampaignChange = Static<typeof CampaignChange>

export const ChangeFilter = strictObject({
  type: Type.Optional(
    commaSeparated(changeTypes, {
      description: `Only changes of one of these types, separated by commas: ${changeTypes.join(', ')}.`,
      examples: ['new,cheaper'],
    }),
  ),
  runId: Type.Optional(id('Only changes that this run has found.')),
  ...pageQuery,
})
export type ChangeFilter = Static<typeof ChangeFilter>

export const changeExample: CampaignChange = {
  id: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
  type: 'cheaper',
  listingId: '98120045',
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  isReturned: false,
  reason: null,
  price: 374_000,
  previousPrice: 394_000,
  changePercent: -5.1,
  currency: 'EUR',
  runId: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
  platform: 'portal_a',
  title: 'Piso en Gràcia',
  municipality: 'Barcelona',
  url: 'https://portal-a.example/inmueble/98120045/',
  createdAt: '2026-11-02T07:03:00.000Z',
}
