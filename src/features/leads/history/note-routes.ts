/** The notes of a lead over HTTP. */
import { toJsonText } from '../../../kit/json-text.ts'
import { createPager, pageQuery, pageSchema } from '../../../kit/page.ts'
import { notFound } from '../../../kit/problem.ts'
import { type Route, route } from '../../../kit/route.ts'
import { id, strictObject, Type } from '../../../kit/schema.ts'
import { readAuthor } from '../../../kit/writer.ts'
import { assertLead } from '../queries.ts'
import { NewNote, Note, newNoteExample, noteExample } from '../schemas.ts'
import * as notes from './note-queries.ts'

const tag = 'Leads'
const params = strictObject({ id: id('The lead.') })
const noteParams = strictObject({ id: id('The lead.'), noteId: id('The note.') })

export const noteRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/leads/{id}/notes',
    operation: 'listNotes',
    tag,
    summary: 'List the notes of a lead, newest first',
    scope: 'leads:read',
    params,
    query: strictObject(pageQuery),
    status: 200,
    reply: pageSchema(Note),
    replyExample: { data: [noteExample], nextCursor: null },
    errors: ['INVALID_CURSOR'],
    async handle({ params, query, caller, tx }) {
      await assertLead(tx, params.id)
      const pager = createPager(`leads/${params.id}/notes`, caller.tenantId, query)
      return pager.reply(await notes.listNotes(tx, params.id, query.limit, pager.after))
    },
  }),
  route({
    method: 'POST',
    path: '/leads/{id}/notes',
    operation: 'createNote',
    tag,
    summary: 'Add a note to a lead',
    description: 'The author is the user who created the key.',
    scope: 'leads:write',
    params,
    body: NewNote,
    example: newNoteExample,
    status: 201,
    reply: Note,
    replyExample: noteExample,
    async handle({ params, body, caller, tx }) {
      const leadId = params.id
      const noteId = await notes.insertNote(tx, leadId, body.body, await readAuthor(tx, caller))
      return toJsonText((await notes.findNote(tx, { leadId, noteId }))!)
    },
  }),
  route({
    method: 'GET',
    path: '/leads/{id}/notes/{noteId}',
    operation: 'getNote',
    tag,
    summary: 'Retrieve a note',
    scope: 'leads:read',
    params: noteParams,
    status: 200,
    reply: Note,
    replyExample: noteExample,
    async handle({ params: { id: leadId, noteId }, tx }) {
      const json = await notes.findNote(tx, { leadId, noteId })
      if (!json) throw notFound('note')
      return toJsonText(json)
    },
  }),
  route({
    method: 'PATCH',
    path: '/leads/{id}/notes/{noteId}',
    operation: 'updateNote',
    tag,
    summary: 'Update a note',
    scope: 'leads:write',
    params: noteParams,
    body: NewNote,
    example: newNoteExample,
    status: 200,
    reply: Note,
    replyExample: { ...noteExample, updatedAt: '2026-11-02T12:00:00.000Z' },
    async handle({ params: { id: leadId, noteId }, body, caller, tx }) {
      await notes.updateNote(tx, { leadId, noteId }, body.body, await readAuthor(tx, caller))
      return toJsonText((await notes.findNote(tx, { leadId, noteId }))!)
    },
  }),
  route({
    method: 'DELETE',
    path: '/leads/{id}/notes/{noteId}',
    operation: 'deleteNote',
    tag,
    summary: 'Delete a note',
    scope: 'leads:write',
    params: noteParams,
    status: 204,
    reply: Type.Null(),
    async handle({ params: { id: leadId, noteId }, caller, tx }) {
      await notes.deleteNote(tx, { leadId, noteId }, await readAuthor(tx, caller))
      return null
    },
  }),
]
