/** The conversations with a person, for subject access requests. */
import { sql } from 'kysely'
import { getTenantId } from '../../../kit/db/context.ts'
import type { PersonData } from '../../../kit/person-data.ts'
import { id, nullable, oneOf, strictObject, Type, time } from '../../../kit/schema.ts'
import { toIdentities } from '../identities.ts'
import { Identity } from '../message-schemas.ts'
import { directions, messageKinds } from '../message-types.ts'

/** The newest messages of a person up to this size are returned. */
const bytesMax = 16 * 1024 * 1024
/** The size of a message without its text and its parts. */
const messageBytes = 300

export const messagingPersonData: PersonData = {
  fields: {
    conversations: Type.Array(
      strictObject({
        id: id('The conversation.'),
        identities: Type.Array(Identity, { description: 'The identities of the person at the provider.' }),
        messages: Type.Array(
          strictObject({
            id: id('The message.'),
            direction: oneOf(directions, { description: '`in`: from the person; `note`: an internal note.' }),
            kind: oneOf(messageKinds, { description: 'What it is.' }),
            text: nullable(Type.String({ description: 'The text; null: it has none.' })),
            content: Type.Record(Type.String(), Type.Unknown(), {
              description: 'The parts besides the text.',
            }),
            files: Type.Array(
              strictObject({
                id: id('The file.'),
                mediaType: nullable(Type.String({ description: 'The media type; null: unknown.' })),
                fileName: nullable(Type.String({ description: 'The name; null: it has none.' })),
              }),
              { description: 'Its files.' },
            ),
            createdAt: time('When it was stored.'),
          }),
          { description: 'The messages, oldest first.' },
        ),
        omittedMessages: Type.Integer({
          description:
            'Older messages that are missing, because the reply has at most 16 MB of messages: list them with `GET /conversations/{id}/messages`.',
        }),
      }),
      { description: 'The conversations with the person, and notes in them.' },
    ),
  },
  example: {
    conversations: [
      {
        id: '01980a4e-4444-7c3e-9d7a-2f6b1c0d9e8f',
        identities: [{ kind: 'phone', value: '+34612345678' }],
        messages: [
          {
            id: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
            direction: 'in',
            kind: 'text',
            text: 'Hola, ¿sigue disponible?',
            content: {},
            files: [],
            createdAt: '2026-11-02T10:00:00.000Z',
          },
        ],
        omittedMessages: 0,
      },
    ],
  },
  async read(tx, { leadIds, identifiers }) {
    const tenantId = getTenantId(tx)
    const identities = toIdentities(identifiers)
    const { rows } = await sql<{ json: string }>`
      with found as (
        select c.id from conversations c
        where c.tenant_id = ${tenantId} and (c.lead_id = any(${leadIds}::uuid[]) or c.id in (
          select i.conversation_id from conversation_identities i
          join unnest(${identities.map(({ kind }) => kind)}::text[], ${identities.map(({ value }) => value)}::text[]) as g (kind, value)
            on g.kind = i.kind and g.value = i.value
          where i.tenant_id = ${tenantId}))),
      sized as (
        select m.id, m.conversation_id, sum(${messageBytes} + octet_length(coalesce(m.text, '')) + octet_length(m.content::text))
            over (order by m.created_at desc, m.id desc) > ${bytesMax} as "isOmitted"
        from messages m where m.tenant_id = ${tenantId} and m.conversation_id in (select id from found))
      select coalesce(json_agg(json_build_object('id', c.id, 'identities', coalesce((
          select json_agg(json_build_object('kind', i.kind, 'value', i.value) order by i.kind, i.value) from conversation_identities i
          where i.tenant_id = ${tenantId} and i.conversation_id = c.id), '[]'),
        'messages', coalesce((
          select json_agg(json_build_object('id', m.id, 'direction', m.direction, 'kind', m.kind, 'text', m.text, 'content', m.content,
            'files', coalesce((
              select json_agg(json_build_object('id', f.id, 'mediaType', f.media_type, 'fileName', f.file_name) order by f.position, f.id)
              from message_files f where f.tenant_id = ${tenantId} and f.message_id = m.id), '[]'),
            'createdAt', aldaba.iso_time(m.created_at)) order by m.sequence)
          from messages m join sized s on s.id = m.id and not s."isOmitted"
          where m.tenant_id = ${tenantId} and m.conversation_id = c.id), '[]'),
        'omittedMessages', (select count(*) from sized s where s.conversation_id = c.id and s."isOmitted")) order by c.id), '[]')::text as json
      from found join conversations c on c.tenant_id = ${tenantId} and c.id = found.id`.execute(tx)
    return { conversations: rows[0]!.json }
  },
}
