/** Possible duplicates of a lead over HTTP; people decide whether they show the same property. */
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, nullable, type Static, strictObject, Type, time } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import { assertLead } from '../queries.ts'
import { emitLeadUpdates } from '../record/emit-updates.ts'
import { dismissDuplicate, listDuplicates } from './duplicate-queries.ts'

const tag = 'Leads'
const params = strictObject({ id: id('The lead.') })
const pairParams = strictObject({
  id: id('The lead.'),
  otherLeadId: id('The lead that may show the same property.'),
})

const Duplicate = strictObject(
  {
    lead: strictObject(
      {
        id: id('The other lead.'),
        title: nullable(Type.String({ description: 'The title of its listing.' })),
        address: nullable(Type.String({ description: 'The street and number.' })),
        price: nullable(Type.Number({ description: 'The price in major units of its currency.' })),
      },
      { description: 'The lead that may show the same property.' },
    ),
    score: Type.Number({ description: 'The evidence in bits: the higher, the likelier.' }),
    reason: Type.String({ description: 'The evidence for and against the same property, in words.' }),
    createdAt: time('When the possible duplicate was found.'),
  },
  { title: 'Duplicate' },
)

const duplicateExample: Static<typeof Duplicate> = {
  lead: {
    id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
    title: 'Piso en venta en Eixample',
    address: 'C/ Mallorca',
    price: 379000,
  },
  score: 5.5,
  reason: 'other phone, same street, 41 m apart, 0 % apart in size and 1.3 % in price, same floor',
  createdAt: '2026-11-02T10:00:00.000Z',
}

export const duplicateRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/leads/{id}/duplicates',
    operation: 'listDuplicates',
    tag,
    summary: 'List possible duplicates of a lead, most similar first',
    description:
      'Listings that certainly show the same property become one lead automatically. Uncertain ones are stored as separate leads and are returned here: at most five for each listing.',
    scope: 'leads:read',
    params,
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(Duplicate),
    replyExample: { data: [duplicateExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await assertLead(tx, params.id)
      const pager = createPager(`leads/${params.id}/duplicates`, caller.tenantId, query)
      return pager.reply(await listDuplicates(tx, params.id, query.limit, pager.after))
    },
  }),
  route({
    method: 'DELETE',
    path: '/leads/{id}/duplicates/{otherLeadId}',
    operation: 'dismissDuplicate',
    tag,
    summary: 'Dismiss a possible duplicate',
    description:
      'The two leads show different properties: both are kept, and neither is listed as a duplicate of the other again.',
    scope: 'leads:write',
    params: pairParams,
    status: 204,
    reply: Type.Null(),
    async handle({ params: { id: leadId, otherLeadId }, caller, tx }) {
      if (!(await dismissDuplicate(tx, { leadId, otherLeadId }))) throw notFound('duplicate')
      const pairs = [
        { leadId, otherLeadId },
        { leadId: otherLeadId, otherLeadId: leadId },
      ]
      const updates = pairs.map(pair => ({ ...pair, cause: 'marked_distinct' as const, changes: [] }))
      await emitLeadUpdates(tx, updates, await readAuthor(tx, caller))
      return null
    },
  }),
]
