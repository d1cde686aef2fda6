/** A property sheet with drawn photos, for tests and benchmarks. */
import sharp from 'sharp'
import { noStatements } from '../src/domain/advertising-rules/advertised-property.ts'
import { createRandom } from '../src/domain/random.ts'
import type { Sheet, SheetPhoto } from '../src/features/fichas/sheet/sheet.ts'

const description = `Luminoso piso de 92 m² en una finca regia de 1926, reformado en 2022. La sala, con tres balcones a la calle, recibe sol desde el mediodía y comunica con una cocina abierta.

La zona de noche tiene tres dormitorios exteriores, uno de ellos en suite, y un segundo baño completo con ducha. Se han conservado los techos altos con molduras y la carpintería original.`

export function makeSampleSheet(over: Partial<Sheet> = {}): Sheet {
  return {
    language: 'es',
    layout: 'classic',
    property: {
      title: 'Piso reformado con tres balcones',
      description,
      operation: 'sale',
      propertyType: 'homes',
      subtype: 'apartment',
      price: 575_000,
      currency: 'EUR',
      pricePeriod: null,
      squareMeters: 92,
      usableSquareMeters: 84,
      plotSquareMeters: null,
      rooms: null,
      bedrooms: 3,
      bathrooms: 2,
      floor: 3,
      floorText: null,
      yearBuilt: 1926,
      condition: 'good',
      features: ['lift', 'balcony', 'air_conditioning', 'heating', 'renovated'],
      address: 'Carrer de Torrijos, 21',
      neighbourhood: 'Vila de Gràcia',
      municipality: 'Barcelona',
      province: 'Barcelona',
      postcode: '08012',
      country: 'ES',
      latitude: 41.4046,
      longitude: 2.1573,
      reference: 'GR-1047',
    },
    photos: [],
    map: null,
    energy: { rating: 'E', emissions: 'D', consumptionKwhM2: 168, emissionsKgM2: 30 },
    agent: {
      name: 'Marta Soler',
      phone: '+34 612 345 678',
      email: 'marta@example.org',
      licence: 'AICAT 4711',
      photo: null,
    },
    statements: noStatements,
    branding: {
      name: 'Finques Aldaba',
      color: '#7a2f3b',
      logo: null,
      phone: '+34 931 234 567',
      email: 'hola@example.org',
      website: 'example.org',
      legalText: 'Los impuestos no están incluidos en el precio.',
    },
    shareUrl: 'https://fichas.example.org/share/fichas/3f9c0c2ad1b94c2c9fd2',
    warnings: [],
    issuedAt: Temporal.Instant.from('2026-11-25T10:00:00Z'),
    timezone: 'Europe/Madrid',
    ...over,
  }
}

/** Makes photos of a coloured gradient with noise. `noise` 0 makes small files, 30 files as large as real photos. */
export async function makeSamplePhotos(
  count: number,
  { width = 480, height = 320, widths = [480], noise = 0 } = {},
): Promise<SheetPhoto[]> {
  const photos: SheetPhoto[] = []
  for (let nth = 0; nth < count; nth++) {
    const raw = drawGradient(width, height, nth, noise)
    const sources = await Promise.all(
      widths.map(async widthPx => {
        const image = sharp(raw, { raw: { width, height, channels: 3 } }).resize({ width: widthPx })
        return { widthPx, bytes: await image.jpeg({ quality: 82 }).toBuffer() }
      }),
    )
    photos.push({ widthPx: width, heightPx: height, sources, alt: null })
  }
  return photos
}

function drawGradient(width: number, height: number, seed: number, noise: number): Buffer {
  const random = createRandom(seed + 1)
  const [red, green, blue] = [random() * 160, random() * 160, random() * 160]
  const bytes = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const light = 95 * (y / height) + (random() - 0.5) * noise
      for (const tone of [red, green, blue]) bytes[at++] = Math.max(0, Math.min(255, tone + light))
    }
  return bytes
}
