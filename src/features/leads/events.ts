/** The events of leads. */
import { contactChannels } from '../../domain/contactability/facts.ts'
import { type EmbeddedObject, event } from '../../kit/events/event.ts'
import { id, nullable, oneOf, strictObject, Type } from '../../kit/schema.ts'
import { readEmbeddedLeads } from './queries.ts'
import { Lead, leadExample } from './schemas.ts'
import { createdLeadExample } from './writing/examples.ts'

/**
 * The maximum number of leads that one event names: messages stay below 20 KB, as Standard Webhooks recommends. A
 * larger batch is split into several events.
 */
export const leadsPerEventMax = 450

export const leadsImported = event({
  type: 'leads.imported',
  object: ['extractionId', 'importId'],
  summary: 'A batch of leads was imported or extracted',
  data: strictObject({
    extractionId: nullable(id('The extraction that found them; null: they were imported.')),
    importId: nullable(id('The import that brought them; null: they were extracted.')),
    platform: nullable(
      Type.String({ description: 'The portal they were found on; null: they were imported.' }),
    ),
    created: Type.Integer({ description: 'The number of new leads in the whole batch.' }),
    updated: Type.Integer({
      description: 'The number of existing leads that have changed, in the whole batch.',
    }),
    leadIds: Type.Array(Type.String({ format: 'uuid' }), {
      description: `The new and changed leads, at most ${leadsPerEventMax} in an event.`,
    }),
    part: Type.Integer({ minimum: 1, description: 'The number of this part of the batch, from 1.' }),
    parts: Type.Integer({ minimum: 1, description: 'The number of events for the whole batch.' }),
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

const listingFields = {
  leadId: id('The lead.'),
  platform: Type.String({ description: 'The portal of the listing.' }),
  listingId: Type.String({ description: 'The id that the portal gives the listing.' }),
  extractionId: nullable(id('The extraction that found the change; null: none did.')),
}
const listingExample = {
  leadId: '01980a4e-8b5c-7c3e-9d7a-2f6b1c0d9e8f',
  platform: 'portal_a',
  listingId: '90210',
  extractionId: '01980a4e-1111-7c3e-9d7a-2f6b1c0d9e8f',
}

const embeds: EmbeddedObject = { name: 'lead', schema: Lead, example: leadExample, read: readEmbeddedLeads }

export const leadPriceChanged = event({
  type: 'lead.price_changed',
  object: ['leadId'],
  embeds,
  summary: 'The price in the listing of a lead has changed',
  data: strictObject({
    ...listingFields,
    previousPrice: Type.Number({ description: 'The former price, in major units of the currency.' }),
    price: Type.Number({ description: 'The new price, in major units of the currency.' }),
    currency: nullable(Type.String({ description: 'The currency, ISO 4217; null: unknown.' })),
  }),
  example: { ...listingExample, previousPrice: 390_000, price: 374_000, currency: 'EUR' },
})

export const leadWithdrawn = event({
  type: 'lead.withdrawn',
  object: ['leadId'],
  embeds,
  summary: 'No portal has a listing of the lead any more',
  data: strictObject(listingFields),
  example: listingExample,
})

/** The author of a change: the key of the request and the user who created it, or a user of the dashboard. */
const author = {
  keyId: nullable(
    id('The key of the request; null: a user of the dashboard (see `userId`) or the service itself did it.'),
  ),
  userId: nullable(id('The user who created that key, or the user of the dashboard; null: none is known.')),
}

export const leadCreated = event({
  type: 'lead.created',
  object: ['leadId'],
  embeds: { ...embeds, example: createdLeadExample },
  summary: 'A single lead was created; leads from extractions and imports are in leads.imported',
  data: strictObject({
    leadId: id('The lead.'),
    platform: Type.String({
      description:
        '`api`: a request created it; `inbound`: the person wrote; `booking`: booked; `widget` or `social_ads`: filled in a form; `merge`: an undone merge brought it back.',
    }),
    ...author,
  }),
  example: {
    leadId: listingExample.leadId,
    platform: 'api',
    keyId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    userId: null,
  },
})

export const leadUpdated = event({
  type: 'lead.updated',
  object: ['leadId'],
  embeds,
  summary: 'A lead was changed by a person, a program or an import',
  data: strictObject({
    leadId: id('The lead.'),
    cause: oneOf(
      [
        'edited',
        'contacted',
        'booked',
        'form_received',
        'note_added',
        'note_changed',
        'note_deleted',
        'merged',
        'unmerged',
        'marked_distinct',
        'imported',
        'import_undone',
      ] as const,
      {
        description:
          'Why it changed. `contacted`: the first message was sent to the person; `booked`: the person booked an appointment; `form_received`: the person filled in a form; `merged`: another lead was merged into it; `unmerged`: that merge was undone; `marked_distinct`: it and another lead are different properties; `import_undone`: the changes of an import were undone.',
      },
    ),
    changes: Type.Array(
      strictObject({
        field: Type.String({ description: 'The path of the field, such as `status` or `contact.phone`.' }),
        before: Type.Unknown({ description: 'The former value.' }),
        after: Type.Unknown({ description: 'The new value.' }),
      }),
      { description: 'The fields that have changed.' },
    ),
    otherLeadId: nullable(
      id('The other lead of a merge, of an undone merge or of `marked_distinct`; null: there is none.'),
    ),
    mergeId: nullable(id('The merge, with which it can be undone; null: there is none.')),
    noteId: nullable(id('The note that was added, changed or deleted; null: none was.')),
    importId: nullable(id('The import that changed it or was undone; null: none did.')),
    ...author,
  }),
  example: {
    leadId: listingExample.leadId,
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

export const leadReplied = event({
  type: 'lead.replied',
  object: ['leadId'],
  embeds,
  summary: 'The person of a lead wrote first, or answered a message',
  data: strictObject({
    leadId: id('The lead.'),
    conversationId: id('The conversation.'),
    messageId: id('What the person wrote.'),
    accountId: id('The account that received it.'),
    channel: oneOf(contactChannels, { description: 'The channel of the account.' }),
  }),
  example: {
    leadId: listingExample.leadId,
    conversationId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
    messageId: '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f',
    accountId: '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f',
    channel: 'chat',
  },
})

export const leadOptedOut = event({
  type: 'lead.opted_out',
  object: ['leadId'],
  embeds,
  summary: 'The person of a lead opted out of being contacted',
  data: strictObject({
    leadId: id('The lead.'),
    channel: nullable(
      oneOf(contactChannels, { description: 'The channel that the person refuses; null: every channel.' }),
    ),
    ...author,
  }),
  example: {
    leadId: listingExample.leadId,
    channel: null,
    keyId: '01980a4e-2222-7c3e-9d7a-2f6b1c0d9e8f',
    userId: null,
  },
})

export const leadOptedIn = event({
  type: 'lead.opted_in',
  object: ['leadId'],
  embeds,
  summary: 'An opt-out was taken back, because the person of a lead asked for messages again',
  data: strictObject({
    leadId: id('The lead.'),
    channel: oneOf(contactChannels, { description: 'The channel that the person accepts again.' }),
    ...author,
  }),
  example: {
    leadId: listingExample.leadId,
    channel: 'chat',
    keyId: null,
    userId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
  },
})

export const leadDeleted = event({
  type: 'lead.deleted',
  object: ['leadId'],
  summary: 'A lead was deleted',
  data: strictObject({
    leadId: id('The deleted lead.'),
    externalId: nullable(
      Type.String({
        description:
          'The external id of the deleted lead, which is free again; null: the lead had none, or the lead that it was merged into has it now. Cleared after 31 days. Also null if the person was erased and the id contains their name, phone number or e-mail address.',
      }),
    ),
    mergedIntoLeadId: nullable(id('The lead that it was merged into; null: it was not merged.')),
  }),
  example: { leadId: listingExample.leadId, externalId: 'crm-1042', mergedIntoLeadId: null },
})

export const leadEvents = [
  leadsImported,
  leadCreated,
  leadUpdated,
  leadPriceChanged,
  leadWithdrawn,
  leadReplied,
  leadOptedOut,
  leadOptedIn,
  leadDeleted,
]
