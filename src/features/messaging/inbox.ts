/** What people of the agency use in the inbox besides conversations and messages: files, tasks, quick replies, live updates. */
import type { Blobs } from '../../kit/blobs/blobs.ts'
import type { Feature } from '../../kit/feature.ts'
import type { ChatAccounts } from '../accounts/service.ts'
import {
  deleteUnsentUploads,
  fetchFile,
  resumeFiles,
  resumeWhenConnected,
  uploadExpiry,
} from './media/jobs.ts'
import { mediaRoutes } from './media/routes.ts'
import { quickReplyRoutes } from './quick-replies/routes.ts'
import { pruneInboxChanges } from './stream/jobs.ts'
import { streamRoute } from './stream/routes.ts'
import { expireMessageTasks, taskExpiry } from './tasks/end-tasks.ts'
import { taskRoutes } from './tasks/routes.ts'

export interface InboxDependencies {
  accounts: Pick<ChatAccounts, 'getProvider' | 'openConnection' | 'createContext'>
  blobs: Blobs
  /** The public URL with the base path. */
  baseUrl: string
}

type Parts = Pick<Feature, 'routes' | 'jobs'> &
  Required<Pick<Feature, 'deploymentJobs' | 'scheduledTasks' | 'subscribers'>>

export const inboxParts = (dependencies: InboxDependencies): Parts => ({
  routes: [
    streamRoute(dependencies),
    ...taskRoutes(dependencies.accounts),
    ...mediaRoutes(dependencies),
    ...quickReplyRoutes,
  ],
  jobs: [fetchFile(dependencies), resumeFiles],
  subscribers: [resumeWhenConnected],
  deploymentJobs: [deleteUnsentUploads, pruneInboxChanges, expireMessageTasks],
  scheduledTasks: [uploadExpiry, taskExpiry],
})
