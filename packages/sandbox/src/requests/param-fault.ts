/** What is wrong with one parameter; a protocol words it in its own way. */
export type ParamProblem = 'missing' | 'empty' | 'unknown' | 'integer' | 'length' | 'address' | 'shape';

export class ParamFault extends Error {
  readonly problem: ParamProblem;
  /** The parameter's name as it was sent, such as `card[number]`. */
  readonly param: string;

  constructor(problem: ParamProblem, param: string, message: string) {
    super(message);
    this.problem = problem;
    this.param = param;
  }
}
