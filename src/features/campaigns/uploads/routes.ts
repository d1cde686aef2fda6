/** The HTTP route that adds people to a campaign. */
import type { Upload } from '../../../kit/http/upload.ts'
import { parseJson } from '../../../kit/json-limits.ts'
import { waitUntilEnded } from '../../../kit/operations/long-poll.ts'
import { toEndCondition } from '../../../kit/operations/watch.ts'
import { tooManyJobs } from '../../../kit/operations/work-limit.ts'
import { Problem, throwIfInvalid } from '../../../kit/problem.ts'
import { explainBodyTooLarge, type Route, uploadRoute } from '../../../kit/route.ts'
import { compile, id, strictObject } from '../../../kit/schema.ts'
import { fileMaxBytes, fileTypes } from '../../imports/schemas.ts'
import {
  createImport,
  type FileHead,
  fileExample,
  fileExamples,
  importKind,
  inspectFile,
  tooManyFiles,
  validateMappingText,
} from '../../imports/service.ts'
import { addLeads, assertTakesFiles, getOpenCampaign, keepOpen, readUpload } from './add.ts'
import { filesNotTaken, recipientsNotTaken } from './problems.ts'
import { LeadIds, RecipientUpload, UploadQuery, uploadExample } from './schemas.ts'

const jsonType = 'application/json'
const jsonMaxBytes = 1024 * 1024

export const addRoute: Route = uploadRoute({
  path: '/campaigns/{id}/recipients',
  operation: 'addCampaignRecipients',
  tag: 'Campaigns',
  summary: 'Add people to a campaign',
  description: [
    'For a campaign of `csv_import` the body is a file, CSV or NDJSON, which is read as `POST /leads/imports` reads it: its rows become leads or update known ones, and join the campaign. `application/json` with `{ "leadIds": [] }` adds leads to a campaign of any source.',
    'The reply has the counts of who joined and why others did not. For a large file it comes before the end: `GET /leads/imports/{importId}` shows the progress.',
    'People may be added to drafts, and to campaigns that run or are paused. Who is in the campaign already is not added again, unless `settings.reentryAfterDays` allows it.',
  ].join('\n\n'),
  scope: 'campaigns:write',
  alsoScope: 'leads:write',
  params: strictObject({ id: id('The campaign.') }),
  query: UploadQuery,
  upload: {
    types: [...fileTypes, jsonType],
    maxBytes: fileMaxBytes,
    example: fileExample,
    examples: {
      ...fileExamples,
      [jsonType]: '{"leadIds":["01980a4e-3333-7c3e-9d7a-2f6b1c0d9e8f"]}',
    },
    schemas: { [jsonType]: LeadIds },
  },
  status: 202,
  reply: RecipientUpload,
  replyExample: uploadExample,
  errors: [
    recipientsNotTaken,
    filesNotTaken,
    'MALFORMED_JSON',
    'QUOTA_EXCEEDED',
    tooManyJobs(importKind.limit),
  ],
  errorExamples: { QUOTA_EXCEEDED: tooManyFiles },
  findErrors: async ({ query }) => validateMappingText(query.mapping),
  async prepare({ params, query, body, caller, database, signal }): Promise<Prepared> {
    if (body.contentType === jsonType) return { leadIds: (await readJson(body)).leadIds, head: null }
    const campaign = await database.readTenant(caller, tx => getOpenCampaign(tx, params.id))
    assertTakesFiles(campaign)
    return { leadIds: null, head: await inspectFile(body, query, { ...caller, signal }) }
  },
  async handle({ params, query, body, prepared, caller, tx }) {
    const campaign = await getOpenCampaign(tx, params.id)
    if (prepared.leadIds) return addLeads(tx, campaign, prepared.leadIds)
    const importId = await createImport(tx, {
      query: { ...query, dryRun: false },
      file: body,
      head: prepared.head,
      requester: caller,
      campaignId: campaign.id,
    })
    await keepOpen(tx, campaign.id)
    return readUpload(tx, importId)
  },
  async finish({ query: { waitSeconds }, caller, database, signal, reply }) {
    const { importId } = reply
    if (importId === null) return reply
    const end = toEndCondition(importKind, importId)
    await waitUntilEnded(database, caller, { ...end, waitSeconds, signal })
    return database.readTenant(caller, tx => readUpload(tx, importId))
  },
})

type Prepared = { leadIds: string[]; head: null } | { leadIds: null; head: FileHead }

/** Throws 400 MALFORMED_JSON, 400 INVALID_INPUT, 413. */
async function readJson(body: Upload): Promise<LeadIds> {
  if (body.bytes > jsonMaxBytes) throw new Problem('PAYLOAD_TOO_LARGE', explainBodyTooLarge(jsonMaxBytes))
  const bytes = Buffer.concat(await Array.fromAsync(body.read()))
  let value: unknown
  try {
    value = parseJson(bytes.toString('utf8'))
  } catch {
    throw new Problem('MALFORMED_JSON', 'The body is not valid JSON.')
  }
  throwIfInvalid(compile(LeadIds)(value))
  return value as LeadIds
}
