/** The API schemas of digests. */
import { id, nullable, oneOf, type Static, strictObject, Type, time } from '../../../kit/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const mailStatuses = ['queued', 'sent', 'skipped', 'failed'] as const

const DigestMail = strictObject({
  email: Type.String({ description: 'The address.' }),
  status: oneOf(mailStatuses, {
    description:
      '`queued`: it is about to be sent; `sent`: the mail server has it; `skipped`: it was not sent, for the reason; `failed`: the mail server did not take it.',
  }),
  reason: nullable(
    strictObject(
      {
        code: Type.String({ description: 'Why. Stable, for programs.' }),
        message: Type.String({ description: 'Why, for people.' }),
      },
      { description: 'Why it was not sent; null: it was, or will be.' },
    ),
  ),
  updatedAt: time('When the status changed.'),
})

const fields = {
  id: id('The digest.'),
  dueAt: time('When it was due.'),
  new: count('New listings.'),
  cheaper: count('Listings whose price fell.'),
  gone: count('Listings that are gone.'),
  mails: Type.Array(DigestMail, { description: 'Its e-mails.' }),
  createdAt: time('When it was written.'),
}

export const CampaignDigest = strictObject(fields, {
  title: 'CampaignDigest',
  description: 'A digest of what a saved search has found, sent by e-mail.',
})

export const WrittenDigest = strictObject(
  {
    ...fields,
    subject: Type.String({ description: 'The subject.' }),
    text: Type.String({ description: 'The text of the e-mail, without the link that ends it.' }),
    html: Type.String({ description: 'The same as HTML.' }),
  },
  {
    title: 'WrittenCampaignDigest',
    description: 'A digest with its text, from the listings as they are now.',
  },
)
export type WrittenDigest = Static<typeof WrittenDigest>

export const digestExample: Static<typeof CampaignDigest> = {
  id: '01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f',
  dueAt: '2026-11-02T07:30:00.000Z',
  new: 0,
  cheaper: 1,
  gone: 0,
  mails: [
    { email: 'ana@agency.example', status: 'sent', reason: null, updatedAt: '2026-11-02T07:30:02.000Z' },
  ],
  createdAt: '2026-11-02T07:30:00.000Z',
}

export const writtenDigestExample: WrittenDigest = {
  ...digestExample,
  subject: 'Homes in Gràcia – Cheaper: 1',
  text: 'Cheaper: 1\n- Piso en Gràcia\n  €374,000 (was €394,000, -5.1%) · Barcelona\n  https://portal-a.example/inmueble/98120045/\n',
  html: '<!doctype html>…',
}
