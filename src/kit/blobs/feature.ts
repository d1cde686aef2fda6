/** The jobs of blobs as a feature, for `app.ts`. */
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
