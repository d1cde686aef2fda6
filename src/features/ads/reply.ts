/** Converts stored connections, forms and submissions to API replies. */
import type { Tx } from '../../kit/db/index.ts'
import { notFound } from '../../kit/problem.ts'
import type { AdNetwork } from '../../plugins/ads.ts'
import { findShares } from '../shares/service.ts'
import type { Ads } from './ad-connections.ts'
import type { FormRow } from './forms.ts'
import { type AdLeadRow, countAdLeads } from './lead-queries.ts'
import { toConsentRule } from './mapping/consent.ts'
import { mapQuestion } from './mapping/field-mapping.ts'
import { type ConnectionRow, findConnections } from './queries.ts'
import type { AdConnection, AdConnectionWithoutWebhook, AdLead, AdNetworkInfo, LeadForm } from './schemas.ts'
import { connectionKind, toVerifyToken, webhookPath } from './webhook-links.ts'

export async function toPayloads(
  tx: Tx,
  rows: readonly ConnectionRow[],
): Promise<AdConnectionWithoutWebhook[]> {
  const counts = await countAdLeads(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map(row => ({
    id: row.id,
    network: row.network,
    name: row.name,
    pageId: row.pageId,
    pageName: row.pageName,
    status: row.status,
    statusReason: row.statusReason,
    statusChangedAt: row.statusChangedAt.toISOString(),
    since: row.since.toISOString(),
    checkedAt: row.checkedAt.toISOString(),
    nextSweepAt: row.nextSweepAt.toISOString(),
    leads: { waiting: 0, taken: 0, skipped: 0, failed: 0, ...counts.get(row.id) },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }))
}

export async function toReplies(
  tx: Tx,
  { cipher, baseUrl }: Ads,
  rows: readonly ConnectionRow[],
): Promise<AdConnection[]> {
  const ids = rows.map(({ id }) => id)
  const shares = await findShares(tx, connectionKind, ids)
  const payloads = await toPayloads(tx, rows)
  return Promise.all(
    payloads.map(async (payload, index) => {
      const { webhookVerifiedAt, notifiedAt } = rows[index]!
      const token = await cipher.decrypt(shares.get(payload.id)!.token)
      return {
        ...payload,
        webhook: {
          url: `${baseUrl}${webhookPath}/${token}`,
          verifyToken: toVerifyToken(token),
          verifiedAt: webhookVerifiedAt?.toISOString() ?? null,
          notifiedAt: notifiedAt?.toISOString() ?? null,
        },
      }
    }),
  )
}

/** Throws 404. */
export async function readReply(tx: Tx, ads: Ads, id: string): Promise<AdConnection> {
  const [reply] = await toReplies(tx, ads, await findConnections(tx, [id]))
  if (!reply) throw notFound('ad connection')
  return reply
}

export const toNetworkInfo = ({ id, label, credentials, keptDays }: AdNetwork): AdNetworkInfo => ({
  id,
  label,
  credentials,
  keptDays,
})

export function toForm(row: FormRow): LeadForm {
  const { formId, name, isActive, locale, questions, consent, consentVersion, fieldMapping, readAt } = row
  return {
    formId,
    name,
    isActive,
    locale,
    questions: questions.map(question => ({
      key: question.key,
      label: question.label,
      field: mapQuestion(question, fieldMapping),
      isGuessed: !Object.hasOwn(fieldMapping, question.key),
    })),
    fieldMapping,
    consentText: consent && { version: consentVersion ?? '', ...consent },
    consent: toConsentRule(row),
    isConsentGuessed: row.consentRule === null,
    readAt: readAt.toISOString(),
  }
}

export const toAdLead = ({ content: _, ...row }: AdLeadRow): AdLead => ({
  ...row,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  submittedAt: row.submittedAt?.toISOString() ?? null,
  receivedAt: row.receivedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})
