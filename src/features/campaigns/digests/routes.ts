/** The HTTP routes of digests. */
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject } from '../../../kit/schema.ts'
import { getCampaign } from '../campaigns/queries.ts'
import { findDigest, findDigestReply, listDigests } from './queries.ts'
import { CampaignDigest, digestExample, WrittenDigest, writtenDigestExample } from './schemas.ts'
import { writeStoredDigest } from './write.ts'

const tag = 'Campaigns'

export const digestRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/campaigns/{id}/digests',
    operation: 'listCampaignDigests',
    tag,
    summary: 'List the digests of a saved search, newest first',
    description: 'Each with what became of its e-mails. The newest 1,000 are kept.',
    scope: 'campaigns:read',
    params: strictObject({ id: id('The campaign.') }),
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(CampaignDigest),
    replyExample: { data: [digestExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await getCampaign(tx, params.id)
      const pager = createPager(`campaigns/${params.id}/digests`, caller.tenantId, query)
      return pager.reply(await listDigests(tx, params.id, query.limit, pager.after))
    },
  }),
  route({
    method: 'GET',
    path: '/campaigns/{id}/digests/{digestId}',
    operation: 'getCampaignDigest',
    tag,
    summary: 'Retrieve a digest of a saved search with its text',
    description:
      'The text is written again from the listings as they are now, without the link that ends the e-mails. In a test environment this shows what people would read.',
    scope: 'campaigns:read',
    params: strictObject({ id: id('The campaign.'), digestId: id('The digest.') }),
    status: 200,
    reply: WrittenDigest,
    replyExample: writtenDigestExample,
    // The digest may be deleted meanwhile.
    readsSnapshot: true,
    async handle({ params, tx }) {
      const campaign = await getCampaign(tx, params.id)
      const reply = await findDigestReply<Omit<WrittenDigest, 'subject' | 'text' | 'html'>>(
        tx,
        params.id,
        params.digestId,
      )
      if (!reply) throw notFound('digest')
      const digest = (await findDigest(tx, params.digestId))!
      const content = await writeStoredDigest(tx, campaign, digest, null)
      return { ...reply, ...(content ?? { subject: '', text: '', html: '' }) }
    },
  }),
]
