#include <vector>
#include <string>

namespace shapes {

template <typename T, int N = 3>
class Polygon : public Base<T>, private Other {
public:
    explicit Polygon(std::vector<T> points) : points_(std::move(points)), count_(N) {}
    virtual ~Polygon() = default;
    T area() const noexcept override { return static_cast<T>(count_) * 2; }
    bool operator==(const Polygon &other) const { return points_ == other.points_; }

private:
    std::vector<T> points_;
    int count_{0};
};

enum class Color : unsigned { Red, Green };

} // namespace shapes

auto add = [](auto a, auto b) -> int { return a + b; };

int main() {
    shapes::Polygon<double> p{{1.0, 2.0, 3.0}};
    for (const auto &x : std::vector<int>{1, 2, 3}) {
        if (x > 1 && !p.area()) { throw std::string("bad"); }
    }
    try { add(1, 2); } catch (const std::exception &e) { return 1; } catch (...) { return 2; }
    return new int[3] != nullptr;
}
