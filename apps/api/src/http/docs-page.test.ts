import { errors } from '@counterfoil/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../../test/test-world.ts';
import { renderDocs } from './docs-page.ts';
import { anchorOf } from './docs-page-call.ts';
import { membersOf, notesOf } from './docs-page-schema.ts';
import { operationsOf } from './openapi-document.ts';

const world = useWorld();
const readDocument = () => world.app.openapi();

describe('/docs', () => {
  it('is a page without scripts under a policy that forbids them', async () => {
    const answer = await world.app.inject('/docs');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'");
    expect(answer.body).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/i);
    const style = await world.app.inject('/docs.css');
    expect([style.statusCode, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  it('shows every call of the document with its summary and who may call it', async () => {
    const { body } = await world.app.inject('/docs');
    const operations = operationsOf(await readDocument());
    expect(operations.length).toBeGreaterThan(10);
    for (const operation of operations) {
      expect(operation.summary, `${operation.path} has no summary`).toMatch(/^[A-Z].{10,100}[^.]$/);
      expect(operation.tags, `${operation.path} has no feature`).toHaveLength(1);
      const article = body.split(`<article id="${anchorOf(operation)}"`)[1]?.split('</article>')[0] ?? '';
      expect(article).toContain(`>${operation.method}</span>`);
      expect(article).toMatch(
        {
          ...{ public: /no sign-in/, session: /A signed-in user\./, customer: /for one of their customers/ },
          program: /with an API key/,
        }[operation.access],
      );
      for (const { name } of operation.parameters ?? []) expect(article).toContain(`<code>${name}</code>`);
    }
  });

  it('lists every error with status and message', async () => {
    const { body } = await world.app.inject('/docs');
    for (const [code, { status }] of Object.entries(errors)) {
      expect(body).toContain(`<th scope="row"><code>${code}</code></th><td>${status}</td>`);
    }
  });

  it('has no two places of one name, and no link that leads nowhere', async () => {
    const { body } = await world.app.inject('/docs');
    const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const targets = [...body.matchAll(/\shref="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('writes what the document holds as text, never as markup', () => {
    const nasty = '<img src=x onerror=alert(1)>';
    const page = renderDocs({
      info: { title: nasty, version: '"' },
      paths: { [`/${nasty}`]: { get: { summary: nasty, tags: ['other'] } } },
    });
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img');
  });
});

describe('members of a schema', () => {
  it('are flattened with their types', () => {
    const schema = {
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'string', format: 'uuid' },
              due: { anyOf: [{ type: 'string' }, { type: 'null' }] },
              tags: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
    };
    expect(membersOf(schema).map(({ path, type, isOptional }) => [path, type, isOptional])).toEqual([
      ['data[].id', 'id (UUID)', false],
      ['data[].due', 'text or null', true],
      ['data[].tags', 'list of text', true],
    ]);
  });

  it('say their limits', () => {
    expect(notesOf({ type: 'integer', minimum: 1, maximum: 1000, default: 100 })).toBe(
      '1 to 1000; default 100',
    );
    expect(notesOf({ type: 'string', enum: ['a', 'b'] })).toBe('one of: a, b');
    expect(notesOf({ type: 'string', maxLength: 9 })).toBe('at most 9 characters');
    expect(
      notesOf({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ).toBe('');
  });
});
