/** Applies the changes of a user to the content of a sheet. */
import { isDeepStrictEqual } from 'node:util'
import { type InputError, throwIfInvalid } from '../../kit/problem.ts'
import { type FichaContent, type StoredPhoto, toStoredAgent } from './content.ts'
import type { FichaChanges } from './schemas.ts'

/** Returns the same object if nothing changes. Throws 400 for photos that the sheet does not have. */
export function applyChanges(
  content: FichaContent,
  changes: FichaChanges,
  { photos, agentPhotoBlobId }: { photos: StoredPhoto[]; agentPhotoBlobId: string | null },
): FichaContent {
  const {
    property,
    privacy,
    energy,
    advertising,
    layout = content.layout,
    language = content.language,
  } = changes
  throwIfInvalid(findPhotoErrors(changes, photos))
  const changed: FichaContent = {
    ...content,
    property: { ...content.property, ...property },
    evidence: markEdited(content, property ?? {}),
    photos: changes.photos ? choosePhotos(content, changes.photos) : content.photos,
    privacy: { ...content.privacy, ...privacy },
    energy: { ...content.energy, ...energy },
    advertising: { ...content.advertising, ...advertising },
    agent: changeAgent(content, changes.agent, agentPhotoBlobId),
    layout,
    language,
  }
  return isDeepStrictEqual(changed, content) ? content : changed
}

function markEdited(
  { property, evidence }: FichaContent,
  changes: Partial<FichaContent['property']>,
): FichaContent['evidence'] {
  const edited = Object.entries(changes).filter(
    ([field, value]) => !isDeepStrictEqual(value, property[field as keyof typeof property]),
  )
  const marks = edited.map(([field]) => [field, { source: 'edited', where: null, confidence: 1 }])
  return { ...evidence, ...Object.fromEntries(marks) }
}

function choosePhotos(
  content: FichaContent,
  choices: NonNullable<FichaChanges['photos']>,
): FichaContent['photos'] {
  const alts = new Map(content.photos.map(({ number, alt }) => [number, alt]))
  return choices.map(({ number, alt = alts.get(number) ?? null }) => ({ number, alt }))
}

function findPhotoErrors({ photos = [] }: FichaChanges, stored: StoredPhoto[]): InputError[] {
  const known = new Set(stored.map(({ number }) => number))
  const chosen = new Set<number>()
  return photos.flatMap(({ number }, index) => {
    const path = `/photos/${index}/number`
    const isRepeated = chosen.has(number)
    chosen.add(number)
    if (isRepeated) return [{ path, code: 'DUPLICATE', message: `repeats the photo ${number}` }]
    return known.has(number)
      ? []
      : [{ path, code: 'UNKNOWN_PHOTO', message: `is none of the ${known.size} photos of the sheet` }]
  })
}

function changeAgent(
  { agent }: FichaContent,
  changed: FichaChanges['agent'],
  photoBlobId: string | null,
): FichaContent['agent'] {
  if (changed === undefined) return agent
  if (changed === null) return null
  const kept = changed.photo === undefined ? (agent?.photoBlobId ?? null) : null
  return toStoredAgent(changed, photoBlobId ?? kept)
}
