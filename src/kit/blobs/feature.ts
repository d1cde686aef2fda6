/** What the program does for blobs by itself, as `app.ts` lists it. */
import type { Feature } from '../feature.ts'
import type { Blobs } from './blobs.ts'
import { cleanUpBlobs, removeBlobs } from './removal.ts'

export const blobsFeature = (blobs: Blobs): Feature => ({
  name: 'blobs',
  routes: [],
  jobs: [removeBlobs(blobs)],
  deploymentJobs: [cleanUpBlobs],
  events: [],
})
