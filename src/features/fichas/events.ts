/** The events of property sheets. */
import { type EmbeddedObject, event } from '../../kit/events/event.ts'
import { id, nullable, strictObject, Type } from '../../kit/schema.ts'
import { payloadExample } from './examples.ts'
import { readFichasWithoutLinks } from './reply.ts'
import { FichaWithoutLinks } from './schemas.ts'

const embeds: EmbeddedObject = {
  name: 'ficha',
  schema: FichaWithoutLinks,
  example: payloadExample,
  async read(tx, ids, maxBytes) {
    const texts = (await readFichasWithoutLinks(tx, ids)).map(
      ficha => [ficha.id, JSON.stringify(ficha)] as const,
    )
    return new Map(texts.map(([id, json]) => [id, Buffer.byteLength(json) <= maxBytes ? json : null]))
  },
}

export const fichaCreated = event({
  type: 'ficha.created',
  object: ['fichaId'],
  embeds,
  summary: 'A property sheet is ready',
  data: strictObject({
    fichaId: id('The sheet.'),
    leadId: nullable(id('The lead of the listing; null: unknown.')),
    platform: Type.String({ description: 'The portal of the listing.' }),
    listingId: Type.String({ description: 'The id of the listing on the portal.' }),
  }),
  example: {
    fichaId: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
    leadId: null,
    platform: 'portal_a',
    listingId: '166310033',
  },
})

export const fichaEvents = [fichaCreated]
