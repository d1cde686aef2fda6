/** The API schemas of public links. */
import { nullable, type Static, strictObject, Type, time } from '../../kit/schema.ts'

const fields = {
  createdAt: time('When it was created.'),
  expiresAt: nullable(time('When it expires; null: it is valid until it is revoked.')),
  views: Type.Integer({ description: 'The number of times the page was opened.' }),
  lastViewedAt: nullable(time('When the page was last opened; null: never.')),
}

/**
 * The schema of a link. `title`: the name of the schema. `subject`: what the link shows, for the description. `pdfPath`:
 * the suffix of the URL of the PDF; omitted: there is none.
 */
export function shareSchema({
  title,
  subject,
  pdfPath,
}: {
  title: string
  subject: string
  pdfPath?: string
}) {
  const url = Type.String({
    description: `The URL of the page; it needs no key.${pdfPath ? ` Append \`${pdfPath}\` for the PDF.` : ''}`,
  })
  return strictObject(
    { url, ...fields },
    { title, description: `The link to ${subject}; null: there is none.` },
  )
}
export type Share = Static<ReturnType<typeof shareSchema>>

/** The body that creates a link or changes its expiry. */
export const newShareSchema = (title: string) =>
  strictObject(
    {
      expiresAt: Type.Optional(
        nullable(time('When the link expires. If omitted, it is valid until it is revoked.')),
      ),
    },
    { title },
  )
