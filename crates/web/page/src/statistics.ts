// Means of a few numbers, with their intervals.

/** The 97.5 % quantiles of Student's t, from one degree of freedom on. */
const QUANTILES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131];

function quantile(freedom: number): number {
  // Beyond the table, by the first terms of its expansion.
  return QUANTILES[freedom - 1] ?? 1.96 + 2.372 / freedom + 2.823 / freedom ** 2;
}

/**
 * The mean of numbers and its 95 % interval. Two numbers say next to nothing about an interval: it is
 * left out below three.
 */
export function meanOf(values: number[]): [number, number, number] | [null, null, null] {
  const count = values.length;
  if (count === 0) return [null, null, null];
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 3) return [mean, mean, mean];
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = quantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return [mean, mean - half, mean + half];
}
