/** What other features and subscribers hear about leads. */
import { CHANNELS } from '../../domain/contactability/facts.ts'
import { event } from '../../kit/event.ts'
import { closed, id, nullable, oneOf, Type } from '../../kit/schema.ts'

/** The most leads that one event names, as a message is to stay below 20 KB (Standard Webhooks); a larger batch is told in several. */
export const leadsPerEventMax = 450

export const leadsImported = event({
  type: 'leads.imported',
  object: ['extractionId', 'importId'],
  summary: 'A batch of leads came in',
  data: closed({
    extractionId: nullable(id('The extraction that brought them.')),
    importId: nullable(id('The import that brought them.')),
    platform: nullable(Type.String({ description: 'The portal they were found on.' })),
    created: Type.Integer({ description: 'Leads that are new, in the whole batch.' }),
    updated: Type.Integer({ description: 'Leads that were known and have changed, in the whole batch.' }),
    leadIds: Type.Array(Type.String({ format: 'uuid' }), {
      description: `New and changed leads, at most ${leadsPerEventMax} in an event.`,
    }),
    part: Type.Integer({ minimum: 1, description: 'Which part of the batch this event tells.' }),
    parts: Type.Integer({ minimum: 1, description: 'How many events tell the batch.' }),
  }),
  example: {
    extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
    importId: null,
    platform: 'portal_a',
    created: 1,
    updated: 0,
    leadIds: ['01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f'],
    part: 1,
    parts: 1,
  },
})

const advert = {
  leadId: id('The lead.'),
  platform: Type.String({ description: 'The portal of the advert.' }),
  listingId: Type.String({ description: "The portal's id of the advert." }),
  extractionId: nullable(id('The extraction that found it so; null: none did just then.')),
}
const advertExample = {
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  platform: 'portal_a',
  listingId: '10042',
  extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
}

export const leadPriceChanged = event({
  type: 'lead.price_changed',
  object: ['leadId'],
  summary: 'The price in the advert of a lead has changed',
  data: closed({
    ...advert,
    previousPrice: Type.Number({ description: 'Major units of the currency.' }),
    price: Type.Number({ description: 'Major units of the currency.' }),
    currency: nullable(Type.String({ description: 'ISO 4217.' })),
  }),
  example: { ...advertExample, previousPrice: 250_000, price: 239_000, currency: 'EUR' },
})

export const leadWithdrawn = event({
  type: 'lead.withdrawn',
  object: ['leadId'],
  summary: 'The property of a lead is advertised nowhere any more',
  data: closed(advert),
  example: advertExample,
})

/** Who wrote: the key of the request, and the user who made it. */
const author = {
  keyId: nullable(id('The key that it was written with; null: by the service itself.')),
  userId: nullable(id('Who made that key.')),
}

export const leadCreated = event({
  type: 'lead.created',
  object: ['leadId'],
  summary:
    'A lead was written, one by itself; of those that extractions and imports bring, leads.imported tells',
  data: closed({
    leadId: id('The lead.'),
    platform: Type.String({ description: '`api`, or where else it comes from.' }),
    ...author,
  }),
  example: {
    leadId: advertExample.leadId,
    platform: 'api',
    keyId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    userId: null,
  },
})

export const leadUpdated = event({
  type: 'lead.updated',
  object: ['leadId'],
  summary: 'A lead was changed by somebody',
  data: closed({
    leadId: id('The lead.'),
    cause: oneOf(
      [
        ...['edited', 'noted', 'note_changed', 'note_deleted', 'merged', 'parted', 'told_apart'],
        ...['imported', 'import_undone'],
      ] as const,
      {
        description:
          '`merged`: another lead was made one with it; `parted`: that was undone; `told_apart`: it and another are of two properties; `import_undone`: what an import changed was taken back.',
      },
    ),
    changes: Type.Array(
      closed({
        field: Type.String({ description: 'Such as `status` or `contact.phone`.' }),
        before: Type.Unknown(),
        after: Type.Unknown(),
      }),
      { description: 'What is not as it was.' },
    ),
    otherLeadId: nullable(id('The lead that it was merged with, parted from or told apart from.')),
    mergeId: nullable(id('The merge, by which it can be undone or was.')),
    noteId: nullable(id('The note that was written, changed or deleted.')),
    importId: nullable(id('The import that changed it, or that was undone.')),
    ...author,
  }),
  example: {
    leadId: advertExample.leadId,
    cause: 'edited',
    changes: [{ field: 'status', before: 'new', after: 'contacted' }],
    otherLeadId: null,
    mergeId: null,
    noteId: null,
    importId: null,
    keyId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    userId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  },
})

export const leadOptedOut = event({
  type: 'lead.opted_out',
  object: ['leadId'],
  summary: 'The person of a lead asked not to be contacted any more',
  data: closed({
    leadId: id('The lead.'),
    channel: nullable(oneOf(CHANNELS, { description: 'Through which channel; null: through none.' })),
    ...author,
  }),
  example: {
    leadId: advertExample.leadId,
    channel: null,
    keyId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    userId: null,
  },
})

export const leadDeleted = event({
  type: 'lead.deleted',
  object: ['leadId'],
  summary: 'A lead was deleted',
  data: closed({
    leadId: id('The lead that was.'),
    mergedIntoLeadId: nullable(id('The lead that it was made one with.')),
  }),
  example: { leadId: advertExample.leadId, mergedIntoLeadId: null },
})

export const leadEvents = [
  leadsImported,
  leadCreated,
  leadUpdated,
  leadPriceChanged,
  leadWithdrawn,
  leadOptedOut,
  leadDeleted,
]
