/** What AI wrote to a person, for subject access requests. */
import { getTenantId } from '../../../kit/db/context.ts'
import { sql } from '../../../kit/db/index.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, nullable, strictObject, Type, time } from '../../../kit/schema.ts'
import { toIdentities } from '../../messaging/service.ts'

/** The newest ones. */
const repliesMax = 500

export const aiPersonData: PersonData = {
  fields: {
    aiReplies: Type.Array(
      strictObject({
        id: id('The AI reply.'),
        conversationId: id('The conversation.'),
        status: Type.String({ description: '`draft`, `sent`, `discarded` or `handed_off`.' }),
        text: nullable(Type.String({ description: 'What the AI proposed; null: nothing.' })),
        answers: Type.Record(Type.String(), Type.Unknown(), {
          description: 'What it recorded of the answers of the person.',
        }),
        model: nullable(Type.String({ description: 'The model; null: none was used.' })),
        prompt: Type.Array(Type.Unknown(), { description: 'What the model got.' }),
        createdAt: time('When it was written.'),
      }),
      {
        description: `What AI proposed to answer to the person, with its input, the oldest first; at most the last ${repliesMax}.`,
      },
    ),
  },
  example: {
    aiReplies: [
      {
        id: '01980a4e-9999-7c3e-9d7a-2f6b1c0d9e8f',
        conversationId: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
        status: 'sent',
        text: 'El precio del anuncio es de 374.000 €.',
        answers: {},
        model: 'small',
        prompt: [{ role: 'user', content: '{"from":"person","text":"¿Qué precio tiene?"}' }],
        createdAt: '2026-11-02T10:00:00.000Z',
      },
    ],
  },
  async read(tx, { leadIds, identifiers }) {
    const tenantId = getTenantId(tx)
    const identities = toIdentities(identifiers)
    const { rows } = await sql<{ json: string }>`
      select coalesce(json_agg(json_build_object('id', id, 'conversationId', conversation_id, 'status', status, 'text', text,
        'answers', answers, 'model', model, 'prompt', prompt, 'createdAt', aldaba.iso_time(created_at)) order by id), '[]')::text as json
      from (
        select r.*, m.conversation_id from ai_replies r
        join messages m on m.tenant_id = ${tenantId} and m.id = r.message_id
        join conversations c on c.tenant_id = ${tenantId} and c.id = m.conversation_id
        where r.tenant_id = ${tenantId} and (m.lead_id = any(${leadIds}::uuid[]) or c.lead_id = any(${leadIds}::uuid[]) or c.id in (
          select i.conversation_id from conversation_identities i
          join unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
            on g.kind = i.kind and g.value = i.value
          where i.tenant_id = ${tenantId}))
        order by r.id desc limit ${repliesMax}) r`.execute(tx)
    return { aiReplies: rows[0]!.json }
  },
}
