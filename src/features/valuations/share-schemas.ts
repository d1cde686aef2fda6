/** What links to reports look like from outside. */
import { closed, nullable, type Static, Type, time } from '../../kit/schema.ts'

export const Share = closed(
  {
    url: Type.String({
      description: 'The page, for whoever has this address. Its PDF: `/report.pdf` behind it.',
    }),
    createdAt: time('Made.'),
    expiresAt: nullable(time('When it ceases to work; null: when it is revoked.')),
    views: Type.Integer({ description: 'How often the page was opened.' }),
    lastViewedAt: nullable(time('Last opened.')),
  },
  { title: 'ValuationShare' },
)
export type Share = Static<typeof Share>

export const NewShare = closed(
  { expiresAt: Type.Optional(nullable(time('When the link ceases to work. Left out: when it is revoked.'))) },
  { title: 'NewValuationShare' },
)
