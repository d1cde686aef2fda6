/** The versions of texts, for what was sent with them. */
import type { Tx } from '../../kit/db/index.ts'
import { findVersions, type VersionRow } from './queries.ts'

/** A text as it was when something was sent with it. */
export type TemplateVersion = Pick<VersionRow, 'versionId' | 'templateId' | 'language' | 'number' | 'body'>

/** Returns the versions by id; those that don't exist are missing. */
export function getTemplateVersions(tx: Tx, ids: string[]): Promise<Map<string, TemplateVersion>> {
  return findVersions(tx, [...new Set(ids)])
}
