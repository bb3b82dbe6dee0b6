CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL DEFAULT 'x', price NUMERIC(10, 2));
-- comment
INSERT INTO t (id, name) VALUES (1, 'a'), (2, 'b');
SELECT a.id, COUNT(*) AS n, CASE WHEN a.x > 1 THEN 'y' ELSE NULL END
FROM t AS a LEFT JOIN u ON a.id = u.id AND u.z IN (1, 2, 3)
WHERE a.name LIKE 'b%' OR NOT (a.id BETWEEN 1 AND 5)
GROUP BY a.id HAVING COUNT(*) > 1 ORDER BY n DESC, a.id LIMIT 10;
UPDATE t SET name = 'c', price = price * 2 WHERE id = 1;
DELETE FROM t WHERE id IN (SELECT id FROM u);
WITH c AS (SELECT 1 AS x) SELECT x FROM c UNION ALL SELECT 2;
