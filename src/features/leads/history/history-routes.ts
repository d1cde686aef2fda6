/** The timeline of a lead and merges over HTTP. */
import { toJsonText } from '../../../kit/json-text.ts'
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type, time } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import { personErased } from '../problems.ts'
import { assertLead, findLead } from '../queries.ts'
import { Lead, leadExample } from '../schemas.ts'
import { mergeLeads } from './merge.ts'
import { undoMerge } from './merge-undo.ts'
import { listTimeline } from './timeline.ts'

const tag = 'Leads'
const params = strictObject({ id: id('The lead.') })
const exampleId = '01980a4e-6666-7c3e-9d7a-2f6b1c0d9e8f'
const mergeExampleId = '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f'

const TimelineItem = strictObject(
  {
    id: Type.String({ description: 'The id of the event, the note or the source.' }),
    type: Type.String({
      description:
        '`lead.seen` (found by an extraction), `lead.imported`, `lead.note_added`, or the type of an event: `lead.created`, `lead.updated`, `lead.price_changed`, `lead.withdrawn` … Changes by an import, and changed or deleted notes, are `lead.updated`.',
    }),
    at: time('When it happened.'),
    leadId: id('The lead, or one that was merged into it.'),
    data: Type.Record(Type.String(), Type.Unknown(), { description: 'The data of the event.' }),
  },
  { title: 'TimelineItem' },
)

const Merge = strictObject(
  { mergeId: id('The merge, with which it can be undone.'), lead: Lead },
  { title: 'Merge' },
)

export const historyRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/leads/{id}/timeline',
    operation: 'getLeadTimeline',
    tag,
    summary: 'List what happened to a lead, newest first',
    description: 'The list includes what happened to leads that were merged into it.',
    scope: 'leads:read',
    params,
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(TimelineItem),
    replyExample: {
      data: [
        {
          id: exampleId,
          type: 'lead.updated',
          at: '2026-11-02T11:00:00.000Z',
          leadId: leadExample.id,
          data: { cause: 'edited', changes: [{ field: 'status', before: 'new', after: 'contacted' }] },
        },
      ],
      nextCursor: null,
    },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await assertLead(tx, params.id)
      const pager = createPager(`leads/${params.id}/timeline`, caller.tenantId, query)
      return pager.reply(await listTimeline(tx, params.id, query.limit, pager.after))
    },
  }),
  route({
    method: 'POST',
    path: '/leads/{id}/merge',
    operation: 'mergeLead',
    tag,
    summary: 'Merge another lead into this one',
    description:
      'This lead takes the values that it lacks from the other lead, and its sources, notes and history. The other lead no longer exists, unless the merge is undone.',
    scope: 'leads:write',
    params,
    matchesETag: true,
    body: strictObject(
      { leadId: id('The lead to merge into this one; it is no longer listed.') },
      { title: 'MergeRequest' },
    ),
    example: { leadId: exampleId },
    status: 200,
    reply: Merge,
    replyExample: { mergeId: mergeExampleId, lead: leadExample },
    async handle({ params, body, caller, ifMatch, tx }) {
      const writer = { author: await readAuthor(tx, caller), ifMatch }
      const mergeId = await mergeLeads(tx, params.id, body.leadId, writer)
      return toJsonText(`{"mergeId":"${mergeId}","lead":${await findLead(tx, params.id)}}`)
    },
  }),
  route({
    method: 'POST',
    path: '/leads/{id}/merges/{mergeId}/undo',
    operation: 'undoMerge',
    tag,
    summary: 'Undo a merge',
    description:
      'The merged lead is restored under its id. This lead loses the values that it took, except those that were changed since.',
    scope: 'leads:write',
    params: strictObject({ id: id('The lead.'), mergeId: id('The merge.') }),
    matchesETag: true,
    status: 200,
    reply: Merge,
    replyExample: { mergeId: mergeExampleId, lead: leadExample },
    errors: ['INVALID_TRANSITION', personErased],
    errorExamples: { INVALID_TRANSITION: 'This merge was undone already.' },
    async handle({ params: { id: leadId, mergeId }, caller, ifMatch, tx }) {
      await undoMerge(tx, leadId, mergeId, { author: await readAuthor(tx, caller), ifMatch })
      return toJsonText(`{"mergeId":"${mergeId}","lead":${await findLead(tx, leadId)}}`)
    },
  }),
]
