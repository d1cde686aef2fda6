/** Creates, changes and deletes campaigns. */
import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { getNow } from '../../../kit/clock/clock.ts'
import type { Tx } from '../../../kit/db/index.ts'
import { assertVersion, type IfMatch } from '../../../kit/etag.ts'
import { type InputError, notFound, Problem, throwIfInvalid } from '../../../kit/problem.ts'
import type { Requester } from '../../../kit/writer.ts'
import { findAccounts } from '../../accounts/service.ts'
import { getWorkspaceLocale } from '../../leads/service.ts'
import type { Portals } from '../../platforms/service.ts'
import { requestBasis, requestDelays, requestDeletion } from '../recipient-jobs.ts'
import { enqueuePlan, requestPlan } from '../request-plan.ts'
import { type Attester, readAttester } from './attester.ts'
import { checkComplete } from './check-settings.ts'
import { closeRun } from './close-run.ts'
import { completeSettings } from './complete-settings.ts'
import { changeDigest } from './digest-times.ts'
import type { NewCampaign, CampaignInput as SentChanges } from './input-schemas.ts'
import { isContactOnly, isPortal } from './platforms.ts'
import { campaignCompleted, campaignRunning, campaignsMax, stepsInUse, tooManyCampaigns } from './problems.ts'
import {
  countCampaigns,
  deleteCampaignRow,
  deleteRecipients,
  insertCampaign,
  listPositions,
  lockCampaign,
  updateCampaign,
} from './queries.ts'
import { assertStillReady, type RecordDependencies } from './readiness.ts'
import { assertChatAccount, findReferenceErrors } from './references.ts'
import type { CampaignRow } from './row.ts'
import { findEnd, planRuns } from './run-times.ts'
import { resetSearch, revokeDigestLinks } from './search-state.ts'
import { checkSegmentation, mergeSegmentation, toEmptySegmentation } from './segmentation.ts'
import { findPassedPosition } from './step-moves.ts'

/** The fields of a campaign that requests set. */
type Fields = Pick<
  CampaignRow,
  'name' | 'mode' | 'platform' | 'contactMode' | 'accountId' | 'segmentation' | 'settings' | 'allUrlsChecked'
>

interface Context {
  /** That of the workspace. */
  timezone: string
  now: Date
  attestedBy: string | null
}

/** `attester`: null if nothing is stored. */
const readContext = async (tx: Tx, attester: Attester | null): Promise<Context> => ({
  timezone: (await getWorkspaceLocale(tx)).timezone,
  now: getNow(tx),
  attestedBy: attester?.name ?? null,
})

/** Steps without a mode are to be sent. */
const toNewFields = ({ name, platform, settings }: NewCampaign, context: Context): Fields => ({
  name,
  platform,
  mode: settings?.steps?.length ? 'extract_and_contact' : 'extract_only',
  contactMode: null,
  accountId: null,
  segmentation: toEmptySegmentation(platform),
  settings: completeSettings({}, context),
  allUrlsChecked: false,
})

/** Omitted fields keep their value. Another platform begins with its own segmentation. */
function applyChanges(portals: Portals, base: Fields, sent: SentChanges, context: Context): Fields {
  const { platform = base.platform, mode = base.mode, segmentation = {}, settings } = sent
  const kept = platform === base.platform ? base.segmentation : toEmptySegmentation(platform)
  return {
    name: (sent.name ?? base.name).trim(),
    platform,
    mode: isContactOnly(platform) ? 'extract_and_contact' : mode,
    contactMode: sent.contactMode === undefined ? base.contactMode : sent.contactMode,
    accountId: sent.accountId === undefined ? base.accountId : (sent.accountId?.toLowerCase() ?? null),
    segmentation: mergeSegmentation(portals, platform, { base: kept, sent: segmentation }),
    settings: settings ? completeSettings(settings, context, base.settings) : base.settings,
    allUrlsChecked: sent.allUrlsChecked ?? base.allUrlsChecked,
  }
}

/** Rules that depend on what is stored. `hasErrorsAt`: for values that were refused already. */
export async function findFieldErrors(
  tx: Tx,
  sent: SentChanges,
  base: (Fields & { id?: string }) | null,
  hasErrorsAt: (path: string) => boolean = () => false,
): Promise<InputError[]> {
  const { steps: _steps, lawfulBasis: _basis, ...times } = sent.settings ?? {}
  const settings = completeSettings(times, await readContext(tx, null), base?.settings)
  const contactMode = sent.contactMode === undefined ? base?.contactMode : sent.contactMode
  const accountId = sent.accountId === undefined && sent.contactMode ? base?.accountId : sent.accountId
  return [
    ...checkComplete(settings, hasErrorsAt),
    ...checkNotifiable(sent.platform ?? base?.platform, settings),
    ...(await findReferenceErrors(tx, {
      accountId,
      contactMode,
      segmentation: sent.segmentation,
      settings: sent.settings,
      campaignId: base?.id ?? null,
    })),
  ]
}

/** A campaign of another source has no search. */
function checkNotifiable(
  platform: string | undefined,
  { notifications }: CampaignRow['settings'],
): InputError[] {
  if (notifications === null || platform === undefined || isPortal(platform)) return []
  const message = 'only campaigns of portals have a search that can notify'
  return [{ path: '/settings/notifications', code: 'NOT_ALLOWED', message }]
}

/** The contact mode of the account, if only the account is sent. */
async function withContactMode(tx: Tx, fields: Fields): Promise<Fields> {
  if (fields.accountId === null || fields.contactMode !== null) return fields
  const [account] = await findAccounts(tx, [fields.accountId])
  return { ...fields, contactMode: account!.mode }
}

/** Returns the id of the new draft. The values were checked. Throws 400, 422 CHAT_ACCOUNT_REQUIRED, TOO_MANY_CAMPAIGNS. */
export async function createCampaign(
  tx: Tx,
  input: NewCampaign,
  { portals, accounts, caller }: RecordDependencies & { caller: Requester },
): Promise<string> {
  throwIfInvalid(await findFieldErrors(tx, input, null))
  const attester = await readAttester(tx, caller)
  const context = await readContext(tx, attester)
  const base = toNewFields(input, context)
  const fields = await withContactMode(tx, applyChanges(portals, base, input, context))
  await assertChatAccount(tx, accounts, fields)
  if ((await countCampaigns(tx)) >= campaignsMax)
    throw new Problem(tooManyCampaigns, tooManyCampaigns.example)
  const { userId: createdBy } = attester
  const basisBy = fields.settings.lawfulBasis && createdBy
  return insertCampaign(tx, { ...fields, createdBy, basisBy, seed: randomInt(2 ** 31) })
}

/**
 * Omitted fields keep their value. What changes nothing is no new version. Throws 400; 404; 409 CAMPAIGN_COMPLETED, STEPS_IN_USE; 412; 422
 * CHAT_ACCOUNT_REQUIRED, and CAMPAIGN_NOT_READY if a campaign that runs would lack something.
 */
export async function changeCampaign(
  tx: Tx,
  id: string,
  sent: SentChanges,
  { ifMatch, caller, ...dependencies }: RecordDependencies & { ifMatch: IfMatch | null; caller: Requester },
): Promise<void> {
  const { portals, accounts } = dependencies
  const row = await lockExisting(tx, id)
  assertVersion('campaign', row.version, ifMatch)
  throwIfInvalid([
    ...(sent.segmentation
      ? checkSegmentation(portals, sent.platform ?? row.platform, sent.segmentation)
      : []),
    ...(await findFieldErrors(tx, sent, row)),
  ])
  const attester = await readAttester(tx, caller)
  const changed = applyChanges(portals, row, sent, await readContext(tx, attester))
  const fields = sent.contactMode === undefined ? await withContactMode(tx, changed) : changed
  if (sent.contactMode !== undefined || sent.accountId !== undefined)
    await assertChatAccount(tx, accounts, fields)
  if (row.status === 'running') await assertStillReady(tx, row, { ...row, ...fields }, dependencies)
  const names = Object.keys(fields) as (keyof Fields)[]
  const isSame = names.every(name => isDeepStrictEqual(fields[name], row[name]))
  if (isSame) return
  assertHasEffect(row, fields)
  await assertStepsKeepPlace(tx, row, fields)
  const searchChanged = isOtherSearch(row, fields)
  const beginsContact = row.mode === 'extract_only' && fields.mode === 'extract_and_contact'
  const { steps, lawfulBasis } = fields.settings
  const isOtherBasis = !isDeepStrictEqual(row.settings.lawfulBasis, lawfulBasis)
  await updateCampaign(tx, id, {
    ...fields,
    ...(isOtherBasis ? { basisBy: lawfulBasis && attester.userId } : {}),
    ...(searchChanged ? { searchChangedAt: getNow(tx) } : {}),
    ...(beginsContact ? { contactFrom: getNow(tx) } : {}),
    ...(row.status === 'paused' ? { planAt: findEnd(fields.settings) } : {}),
  })
  if (searchChanged || sent.allUrlsChecked === true) await closeRun(tx, id)
  const isSilenced = row.settings.notifications !== null && fields.settings.notifications === null
  if (searchChanged || isSilenced) await resetSearch(tx, id)
  await changeDigest(tx, id, row.settings.notifications, fields.settings.notifications)
  const scheduleChanged = JSON.stringify(row.settings.schedule) !== JSON.stringify(fields.settings.schedule)
  if (row.startedAt && (searchChanged || beginsContact || scheduleChanged))
    await planRuns(tx, { ...row, ...fields }, { anew: true })
  if (!isDeepStrictEqual(toDelays(row.settings.steps), toDelays(steps))) await requestDelays(tx, id)
  if (isOtherBasis) await requestBasis(tx, id)
  const endAt = findEnd(fields.settings)
  if (row.status !== 'paused') await requestPlan(tx, id, getNow(tx))
  else if (endAt) await enqueuePlan(tx, id, endAt)
}

const toDelays = (steps: Fields['settings']['steps']) => steps.map(({ delayMinutes }) => delayMinutes)

/** Recipients are at a position of the sequence, so no step may pass them. Throws 409 STEPS_IN_USE. */
async function assertStepsKeepPlace(tx: Tx, { id, settings }: CampaignRow, changed: Fields): Promise<void> {
  const { steps } = changed.settings
  if (isDeepStrictEqual(settings.steps, steps)) return
  const position = findPassedPosition(settings.steps, steps, await listPositions(tx, id))
  if (position === null) return
  const behind = position === 1 ? '1 step' : `${position} steps`
  throw new Problem(
    stepsInUse,
    `Recipients have ${behind} behind them, and the change would move a step past them: they would get it twice, or never. Leave the steps before in their place; replace, add, remove or reorder those after them.`,
    { details: { position } },
  )
}

/** What is completed only answers. Throws 409 CAMPAIGN_COMPLETED. */
function assertHasEffect({ status, ...before }: CampaignRow, changed: Fields): void {
  if (status !== 'completed') return
  const toRest = ({ name: _, settings: { ai: __, ...settings }, ...rest }: Fields) => ({ ...rest, settings })
  const names = Object.keys(changed) as (keyof Fields)[]
  const stored = Object.fromEntries(names.map(name => [name, before[name]])) as unknown as Fields
  if (!isDeepStrictEqual(toRest(stored), toRest(changed)))
    throw new Problem(campaignCompleted, campaignCompleted.example)
}

const isOtherSearch = (before: Fields, { platform, segmentation }: Fields): boolean =>
  before.platform !== platform ||
  JSON.stringify(toFilters(before.segmentation)) !== JSON.stringify(toFilters(segmentation))

const toFilters = (segmentation: Fields['segmentation']) =>
  'filters' in segmentation ? segmentation.filters : null

/** Locks a campaign. Throws 404. */
export async function lockExisting(tx: Tx, id: string): Promise<CampaignRow> {
  const row = await lockCampaign(tx, id)
  if (!row) throw notFound('campaign')
  return row
}

/** Deletes a campaign with its runs, and its recipients: many of them afterwards, in batches. Throws 404, 409 CAMPAIGN_RUNNING, 412. */
export async function deleteCampaign(tx: Tx, id: string, ifMatch: IfMatch | null): Promise<void> {
  const row = await lockExisting(tx, id)
  assertVersion('campaign', row.version, ifMatch)
  if (row.status === 'running') throw new Problem(campaignRunning, campaignRunning.example)
  const hasMore = await deleteRecipients(tx, id)
  await closeRun(tx, id)
  await revokeDigestLinks(tx, id)
  await deleteCampaignRow(tx, id)
  if (hasMore) await requestDeletion(tx, id)
}
