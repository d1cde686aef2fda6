/** What links to reports look like from outside. */
import { closed, nullable, type Static, Type, time } from '../../kit/schema.ts'

export const Share = closed(
  {
    url: Type.String({
      description: 'The URL of the page; it needs no key. Append `/report.pdf` for the PDF.',
    }),
    createdAt: time('When it was created.'),
    expiresAt: nullable(time('When it expires; null: it works until it is revoked.')),
    views: Type.Integer({ description: 'The number of times the page was opened.' }),
    lastViewedAt: nullable(time('When the page was last opened; null: never.')),
  },
  { title: 'ValuationShare', description: 'The link to the report; null: there is none.' },
)
export type Share = Static<typeof Share>

export const NewShare = closed(
  {
    expiresAt: Type.Optional(
      nullable(time('When the link expires. If omitted, it works until it is revoked.')),
    ),
  },
  { title: 'NewValuationShare' },
)
