/** Spans of time, as prices are reckoned by. */
export const msPerDay = 86_400_000
export const daysPerYear = 365.25
export const msPerMonth = (daysPerYear / 12) * msPerDay
