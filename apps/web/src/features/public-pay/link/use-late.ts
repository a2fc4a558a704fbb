import { useEffect, useState } from 'react';

/** Parts of the page that few of its readers need; their code is fetched with them. */
const parts = {
  choice: () => import('../form/part-choice.tsx'),
  bank: () => import('../form/bank-form.tsx'),
  back: () => import('../outcome/came-back.tsx'),
};
type Parts = { readonly [Name in keyof typeof parts]: Awaited<ReturnType<(typeof parts)[Name]>> };

/** The code of a part, once it is there and while it is wanted; false where it did not come. */
export function useLate<Name extends keyof Parts>(
  name: Name,
  isWanted: boolean,
): Parts[Name] | false | undefined {
  const [code, setCode] = useState<Parts[Name] | false>();
  useEffect(() => {
    if (isWanted) (parts[name] as () => Promise<Parts[Name]>)().then(setCode, () => setCode(false));
  }, [name, isWanted]);
  return isWanted ? code : undefined;
}
