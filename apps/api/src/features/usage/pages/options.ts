/** From what sizes on positions are found by counting and sampling instead of walking. Tests make them small. */
export interface PagingOptions {
  /** Positions of a value sort that are nearer to an end than this are walked to. */
  readonly nearEnd: number;
  /** Records that are walked through to find those of a filter near an end. */
  readonly walkedAtEnd: number;
  /** The same where the filter stands in the index of the order, so that none is fetched to be left out. */
  readonly walkedInIndex: number;
  /** Records from one sample to the next, at least. */
  readonly sampleDistance: number;
  /** Samples of a month, at most: larger months are sampled less closely. */
  readonly samplesPerMonth: number;
  /** A line or type of so many records is walked through; larger ones are counted by day or month. */
  readonly walkedGroup: number;
}

export const pagingOptions: PagingOptions = {
  nearEnd: 2_000,
  walkedAtEnd: 2_000,
  walkedInIndex: 20_000,
  sampleDistance: 128,
  samplesPerMonth: 512,
  walkedGroup: 200,
};
