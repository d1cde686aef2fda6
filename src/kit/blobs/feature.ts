/** What the program does for blobs by itself, as `app.ts` lists it. */
import type { Feature } from '../feature.ts'
import { removeBlobs, sweepBlobs } from './removal.ts'
import type { BlobStore } from './store.ts'

export const blobsFeature = (store: BlobStore): Feature => ({
  name: 'blobs',
  routes: [],
  jobs: [removeBlobs(store)],
  deploymentJobs: [sweepBlobs],
  events: [],
})
