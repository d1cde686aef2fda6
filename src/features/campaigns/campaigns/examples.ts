/** Examples of campaigns, for the documentation. */
import { completeSettings } from './complete-settings.ts'
import type { NewCampaign } from './input-schemas.ts'
import { runExample } from './run-schemas.ts'
import type { Campaign } from './schemas.ts'

const now = '2026-11-02T10:00:00.000Z'
const templateId = '01980a4e-7777-7c3e-9d7a-2f6b1c0d9e8f'

export const campaignExample: Campaign = {
  id: '01980a4e-cccc-7c3e-9d7a-2f6b1c0d9e8f',
  name: 'Owners in Gràcia',
  status: 'running',
  mode: 'extract_and_contact',
  platform: 'portal_a',
  contactMode: 'chat',
  segmentation: {
    filters: {
      operation: 'sale',
      propertyType: 'homes',
      location: { id: 'barcelona', label: 'Barcelona' },
    },
    expectedResults: 400,
    totalResults: 412,
    messageRestartDate: null,
  },
  settings: completeSettings(
    {
      schedule: { everyMinutes: 60 },
      sendWindow: { days: [1, 2, 3, 4, 5], from: '09:00', to: '20:00', holidays: ['ES-CT'] },
      dailyLeadLimit: 40,
      throttlePerMinute: 2,
      steps: [{ templateId }, { templateId, delayMinutes: 2880, onlyIfNoReply: true }],
    },
    { timezone: 'Europe/Madrid', now: new Date(now) },
  ),
  accountId: '01980a4e-5555-7c3e-9d7a-2f6b1c0d9e8f',
  allUrlsChecked: false,
  stats: { recipients: 120, waiting: 38, queued: 2, completed: 55, stopped: 21, skipped: 3, failed: 1 },
  currentRun: runExample,
  nextRunAt: '2026-11-02T11:00:00.000Z',
  pauseReason: null,
  health: { level: 'good', code: null, message: null },
  wait: {
    code: 'WINDOW',
    message: 'Waiting for the send window, which opens Tue 09:00.',
    until: '2026-11-03T08:00:00.000Z',
  },
  createdBy: null,
  createdAt: now,
  updatedAt: now,
  startedAt: now,
  completedAt: null,
}

export const newCampaignExample: NewCampaign = {
  name: 'Owners who wrote to us',
  platform: 'csv_import',
  segmentation: { batchSize: 25 },
  settings: {
    sendWindow: { days: [1, 2, 3, 4, 5], from: '09:00', to: '20:00' },
    dailyLeadLimit: 40,
    lawfulBasis: {
      kind: 'consent',
      attestedBy: 'Ana Puig',
      note: 'Form on agency.example: “Write to me about selling”.',
    },
  },
}
