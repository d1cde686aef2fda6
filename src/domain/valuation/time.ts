/** Units of time for prices. */
export const msPerDay = 86_400_000
export const daysPerYear = 365.25
export const msPerMonth = (daysPerYear / 12) * msPerDay
