/** A list of leads like the export of a Spanish agency: semicolons, decimal commas, windows-1252 and typing errors. */

const firstNames = 'Marta José Inés Begoña Íñigo Núria Óscar Lucía Ramón Pilar Andrés Concepción'.split(' ')
const surnames = 'Soler Núñez García Muñoz Pérez Ibáñez Castaño Rodríguez Peña Gómez Ferrer Güell'.split(' ')
const streets = ['Carrer de Mallorca', 'Calle Mayor', 'Avenida de América', 'Calle de Alcalá', 'Rambla Nova']
const towns = [
  ['Barcelona', '8008'],
  ['Madrid', '28013'],
  ['Alcalá de Henares', '28801'],
  ['Tarragona', '43001'],
  ['Cádiz', '11001'],
] as const
const kinds = ['Piso', 'Casa', 'Ático', 'Local', 'Garaje']

export const headings = [
  'Referencia',
  'Nombre',
  'Teléfono',
  'Correo electrónico',
  'Operación',
  'Tipo',
  'Precio',
  'Superficie',
  'Habitaciones',
  'Baños',
  'Dirección',
  'Municipio',
  'Código postal',
  'Descripción',
  'Origen',
]

/** Generates rows deterministically: one in fifty repeats an earlier one, one in a hundred has an invalid phone. */
export function makeFile(rows: number): Buffer {
  const lines = [headings.join(';')]
  for (let n = 0; n < rows; n++) lines.push(makeRow(n % 50 === 49 ? n - 40 : n, n))
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
}

function makeRow(n: number, position: number): string {
  const pick = <T>(from: readonly T[], step: number) => from[Math.floor(n / step) % from.length]!
  const digits = String(600_000_000 + n * 37)
  const phone =
    position % 100 === 7 ? '3,46E+10' : `${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`
  const [town, postcode] = pick(towns, 7)
  const kind = pick(kinds, 3)
  const street = pick(streets, 11)
  const metres = 45 + (n % 130)
  return [
    `R-${position}`,
    `${pick(firstNames, 1)} ${pick(surnames, 5)} ${pick(surnames, 13)}`,
    phone,
    n % 3 === 0 ? '' : `persona${n}@ejemplo.es`,
    n % 4 === 0 ? 'Alquiler' : 'Venta',
    kind,
    `${((90_000 + ((n * 7919) % 600_000)) / 1000).toFixed(3)},00 €`,
    `${metres},5`,
    1 + (n % 5),
    1 + (n % 2),
    `"${street}, ${1 + (n % 300)}, ${1 + (n % 9)}º"`,
    town,
    postcode,
    `"${kind} de ${metres} metros en ${street}; luminoso, con ascensor y balcón. Para entrar a vivir."`,
    n % 2 === 0 ? 'Escaparate' : 'Web',
  ].join(';')
}
